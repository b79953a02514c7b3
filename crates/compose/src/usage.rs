//! Token counts of one API message, in the shape and with the quirks of each generation.

use scrollback_format::generation::Generation;

use crate::json::{Json, Object};

/// The final counts of one message, and what its stream began with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens sent outside the cache.
    pub input: u64,
    /// Tokens answered, in the end.
    pub output: u64,
    /// Tokens answered as `message_start` had it: what unfinished lines show.
    pub output_at_start: u64,
    /// Tokens read from the cache.
    pub cache_read: u64,
    /// Tokens written to the five-minute cache.
    pub cache_5m: u64,
    /// Tokens written to the one-hour cache.
    pub cache_1h: u64,
}

impl Usage {
    /// All tokens of the message together.
    pub fn total(&self) -> u64 {
        self.input + self.output + self.cache_read + self.cache_5m + self.cache_1h
    }

    /// What a reader of the lines can know: the largest `output_tokens` on any of them.
    pub fn readable(mut self, generation: Generation, cut: bool) -> Self {
        if cut || generation.facts().output_tokens_are_lower_bounds {
            self.output = self.output_at_start;
        }
        self
    }

    /// The `usage` object of a line. `finished` lines have the final count and, from 2.1.80 on, more fields.
    pub fn json(&self, generation: Generation, finished: bool) -> Json {
        let output = if finished { self.output } else { self.output_at_start };
        let usage = Object::new()
            .num("input_tokens", self.input)
            .num("cache_creation_input_tokens", self.cache_5m + self.cache_1h)
            .num("cache_read_input_tokens", self.cache_read);
        match generation {
            Generation::V1_0 => usage.num("output_tokens", output).str("service_tier", "standard").done(),
            Generation::V2_0_29 | Generation::V2_0_55 | Generation::V2_1_9 => self.started(usage, output),
            Generation::V2_1_80 if !finished => self.started(usage, output),
            _ => self.finished(usage, generation, output),
        }
    }

    fn started(&self, usage: Object, output: u64) -> Json {
        let cache = Object::new()
            .num("ephemeral_5m_input_tokens", self.cache_5m)
            .num("ephemeral_1h_input_tokens", self.cache_1h)
            .done();
        usage
            .put("cache_creation", &cache)
            .num("output_tokens", output)
            .str("service_tier", "standard")
            .done()
    }

    fn finished(&self, usage: Object, generation: Generation, output: u64) -> Json {
        let newest = generation >= Generation::V2_1_325;
        let cache = Object::new()
            .num("ephemeral_1h_input_tokens", self.cache_1h)
            .num("ephemeral_5m_input_tokens", self.cache_5m)
            .done();
        let servers = Object::new().num("web_search_requests", 0).num("web_fetch_requests", 0).done();
        usage
            .num("output_tokens", output)
            .when(newest, |usage| {
                usage.put("output_tokens_details", &Object::new().num("thinking_tokens", 0).done())
            })
            .put("server_tool_use", &servers)
            .str("service_tier", "standard")
            .put("cache_creation", &cache)
            .str("inference_geo", "")
            .put("iterations", &Json::list([]))
            .str("speed", "standard")
            .when(newest, |usage| usage.null("fallback_credit"))
            .done()
    }

    /// The zero usage of a line that no model wrote.
    pub(crate) fn synthetic(generation: Generation) -> Json {
        let servers = Object::new()
            .num("web_search_requests", 0)
            .when(generation >= Generation::V2_0_55, |servers| servers.num("web_fetch_requests", 0));
        let cache =
            Object::new().num("ephemeral_1h_input_tokens", 0).num("ephemeral_5m_input_tokens", 0).done();
        let newest = generation >= Generation::V2_1_325;
        Object::new()
            .when(newest, |usage| usage.null("output_tokens_details"))
            .num("input_tokens", 0)
            .num("output_tokens", 0)
            .num("cache_creation_input_tokens", 0)
            .num("cache_read_input_tokens", 0)
            .put("server_tool_use", &servers.done())
            .null("service_tier")
            .put("cache_creation", &cache)
            .when(generation >= Generation::V2_1_80, |usage| {
                usage.null("inference_geo").null("iterations").null("speed")
            })
            .when(newest, |usage| usage.null("fallback_credit"))
            .done()
    }
}
