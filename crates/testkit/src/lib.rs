//! Builders of whole stores, a hermetic home and the recorded corpus, for tests.
