//! What the entries of a session mean: thread graph, turns, agents, lineage, facts.
