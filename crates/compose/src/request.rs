//! Stored API requests (2.1.325): the system prompt and tools once per hash, each message once per hash, and
//! each request as what it keeps of the one before plus a tail.

use sha2::{Digest, Sha256};

use crate::id::Id;
use crate::json::{Json, Object};
use crate::session::SessionAuthor;
use crate::source::IdSource;

impl<S: IdSource> SessionAuthor<S> {
    /// Stores a request that adds `messages` to the one before. Older generations store none.
    pub fn request(&mut self, system_prompt: &str, tools: &[&str], messages: &[Json]) {
        if !self.newest() {
            return;
        }
        if self.request.shape.is_none() {
            self.request_shape(system_prompt, tools);
        }
        let hashes: Vec<String> = messages.iter().map(|message| sha256(message.as_bytes())).collect();
        for (hash, message) in hashes.iter().zip(messages) {
            let line = self.request_line("api-request-blob").str("hash", hash).put("message", message);
            self.sheet.line("api-request-blob", line);
        }
        self.request_delta(&hashes);
    }

    fn request_line(&self, kind: &str) -> Object {
        Object::new().str("type", kind).str("sessionId", self.id.as_str()).str_if("agentId", self.tagged())
    }

    fn request_shape(&mut self, system_prompt: &str, tools: &[&str]) {
        let schema = Object::new().str("type", "object").done();
        let tools = Json::list(tools.iter().map(|name| {
            let description = format!("The {name} tool.");
            Object::new()
                .str("name", name)
                .str("description", &description)
                .put("input_schema", &schema)
                .done()
        }));
        let system = Json::list([crate::block::text(system_prompt)]);
        let shape = Object::new().put("system", &system).put("tools", &tools).done();
        let hash = sha256(shape.as_bytes());
        let at = self.now();
        let line = self
            .request_line("api-request-shape")
            .str("shapeHash", &hash)
            .str("timestamp", &at.to_string())
            .str("version", &self.settings.version)
            .put("shape", &shape);
        self.sheet.line("api-request-shape", line);
        self.request.shape = Some(hash);
    }

    fn request_delta(&mut self, hashes: &[String]) {
        let id = self.fresh();
        let at = self.now();
        let source = match &self.agent {
            Some(agent) => format!("agent:builtin:{}", agent.kind),
            None if self.is_tui() => "repl_main_thread".to_owned(),
            None => "sdk".to_owned(),
        };
        let keep = if self.request.last.is_some() { self.request.sent } else { 0 };
        let digest = sha256(format!("{id}{keep}").as_bytes());
        let line = self
            .request_line("api-request")
            .str("id", id.as_str())
            .str("timestamp", &at.to_string())
            .str("version", &self.settings.version)
            .str("querySource", &source)
            .str_if("shapeHash", self.request.shape.as_deref())
            .put("params", &self.request_params())
            .str_if("base", self.request.last.as_ref().map(Id::as_str))
            .num("keep", keep)
            .put("tail", &Json::texts(hashes))
            .put("cacheControl", &cache_control())
            .str("requestDigest", &digest);
        self.sheet.line("api-request", line);
        self.request.sent += hashes.len() as u64;
        self.request.last = Some(id);
    }

    fn request_params(&self) -> Json {
        let betas = ["claude-code-20250219", "interleaved-thinking-2025-05-14", "effort-2025-11-24"];
        let thinking = Object::new().str("type", "adaptive").str("display", "omitted").done();
        Object::new()
            .str("model", &self.settings.model)
            .put("betas", &Json::texts(betas))
            .num("max_tokens", 128_000)
            .put("thinking", &thinking)
            .put("output_config", &Object::new().str("effort", "medium").done())
            .done()
    }
}

fn cache_control() -> Json {
    let value = Object::new().str("type", "ephemeral").done();
    let path = Json::list([Json::text("system"), Json::raw(b"0".to_vec())]);
    Json::list([Object::new().put("path", &path).put("value", &value).done()])
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
