//! The attachments with which newer clients begin a session, right after its first prompt.

use scrollback_format::generation::Generation;

use crate::attachment::Rendering;
use crate::id::Id;
use crate::json::{Json, Object};
use crate::session::SessionAuthor;
use crate::source::IdSource;

const AGENTS: [&str; 4] = ["Explore", "general-purpose", "Plan", "statusline-setup"];
const SKILLS: [&str; 6] = ["code-review", "simplify", "run", "init", "review", "security-review"];
const DEFERRED: [&str; 6] =
    ["CronCreate", "CronList", "EnterWorktree", "NotebookEdit", "WebFetch", "WebSearch"];

impl<S: IdSource> SessionAuthor<S> {
    /// What the generation announces at the start: nothing before 2.1.200, two listings there, ten notes later.
    pub fn preamble(&mut self, system_prompt: &str) {
        match self.generation() {
            Generation::V2_1_200 => {
                self.agent_listing();
                self.skill_listing();
            }
            Generation::V2_1_325 => {
                self.environment();
                self.model_identity();
                self.deferred_tools();
                self.agent_listing();
                self.skill_listing();
                self.session_context();
                self.date();
                self.remote_session_change();
                self.prompt_snapshot(system_prompt);
            }
            _ => {}
        }
    }

    /// The agents one may call. Agents themselves are not told in 2.1.200.
    fn agent_listing(&mut self) -> Option<Id> {
        if self.agent.is_some() && !self.newest() {
            return None;
        }
        let lines = AGENTS.map(|name| format!("- {name}: an agent for its kind of work"));
        let attachment = Object::new()
            .str("type", "agent_listing_delta")
            .put("addedTypes", &Json::texts(AGENTS))
            .put("addedLines", &Json::texts(&lines))
            .when(self.newest(), |attachment| {
                attachment
                    .put("builtInTypes", &Json::texts(AGENTS))
                    .put("builtInPluginTypes", &Json::list([]))
            })
            .put("removedTypes", &Json::list([]))
            .bool("isInitial", true)
            .bool("showConcurrencyNote", true);
        self.attach(
            "attachment/agent_listing_delta",
            &attachment.done(),
            &Rendering::system(&lines.join("\n")),
        )
    }

    fn skill_listing(&mut self) -> Option<Id> {
        let content = SKILLS.map(|name| format!("- {name}: a skill of that name")).join("\n");
        let digests: Vec<Id> = SKILLS.iter().map(|_| Id::hex(&mut self.source, 16)).collect();
        let attachment = Object::new()
            .str("type", "skill_listing")
            .str("content", &content)
            .num("skillCount", SKILLS.len() as u64)
            .bool("isInitial", true)
            .put("names", &Json::texts(SKILLS))
            .when(self.newest(), |attachment| {
                attachment.put("digests", &Json::texts(digests.iter().map(Id::as_str)))
            });
        self.attach("attachment/skill_listing", &attachment.done(), &Rendering::system(&content))
    }

    fn environment(&mut self) -> Option<Id> {
        let snapshot = Object::new()
            .str("workingDirectory", &self.settings.cwd)
            .bool("isWorktree", self.settings.cwd.contains("/.claude/worktrees/"))
            .bool("isGitRepo", self.settings.branch.is_some())
            .put("additionalWorkingDirectories", &Json::list([]))
            .str("platform", "linux")
            .str("shell", "bash")
            .str("osVersion", "Linux 6.8.0-1-generic")
            .done();
        let text = format!(
            "# Environment\n - Primary working directory: {}\n - Platform: linux\n - Shell: bash",
            self.settings.cwd
        );
        let attachment = Object::new().str("type", "environment").put("snapshot", &snapshot);
        self.attach("attachment/environment", &attachment.done(), &Rendering::system(&text))
    }

    fn model_identity(&mut self) -> Option<Id> {
        let identity = Object::new()
            .str("modelId", &self.settings.model)
            .str("marketingName", "Opus 5.5")
            .str("knowledgeCutoff", "June 2026")
            .done();
        let text = "You are powered by the model named Opus 5.5.";
        let attachment = Object::new().str("type", "model").put("identity", &identity).str("text", text);
        self.attach("attachment/model", &attachment.done(), &Rendering::system(text))
    }

    fn deferred_tools(&mut self) -> Option<Id> {
        let attachment = Object::new()
            .str("type", "deferred_tools_delta")
            .put("addedNames", &Json::texts(DEFERRED))
            .put("addedLines", &Json::texts(DEFERRED))
            .put("removedNames", &Json::list([]))
            .put("wireHiddenNames", &Json::list([]))
            .put("readdedNames", &Json::list([]))
            .put("pendingMcpServers", &Json::list([]))
            .put("needsAuthMcpServers", &Json::list([]))
            .put("failedMcpServers", &Json::list([]));
        self.attach(
            "attachment/deferred_tools_delta",
            &attachment.done(),
            &Rendering::system(&DEFERRED.join("\n")),
        )
    }

    fn session_context(&mut self) -> Option<Id> {
        let branch = self.settings.branch.clone()?;
        let status = format!("Current branch: {branch}\n\nStatus:\n(clean)");
        let context = Object::new().str("gitStatus", &status).done();
        let attachment = Object::new().str("type", "session_context").put("context", &context);
        self.attach("attachment/session_context", &attachment.done(), &Rendering::user(&status))
    }

    fn date(&mut self) -> Option<Id> {
        let date = self.source.now().date();
        let attachment = Object::new().str("type", "date").str("date", &date);
        self.attach(
            "attachment/date",
            &attachment.done(),
            &Rendering::system(&format!("Today's date is {date}.")),
        )
    }

    fn remote_session_change(&mut self) -> Option<Id> {
        let attachment = Object::new()
            .str("type", "remote_session_change")
            .null("url")
            .str("commit", "Co-Authored-By: Claude Opus 5.5 <noreply@anthropic.com>")
            .str("pr", "🤖 Generated with [Claude Code](https://claude.com/claude-code)")
            .bool("sendUserFileHint", false)
            .bool("managedCommit", false)
            .bool("managedPr", false);
        let rendering = Rendering::user("End commit messages with the co-author line.");
        self.attach("attachment/remote_session_change", &attachment.done(), &rendering)
    }

    /// The system prompt, stored once more beside the requests (2.1.325).
    pub fn prompt_snapshot(&mut self, system_prompt: &str) -> Option<Id> {
        if !self.newest() {
            return None;
        }
        let attachment = Object::new()
            .str("type", "prompt_snapshot")
            .put("systemPrompt", &Json::texts([system_prompt]))
            .bool("reminderFold", false)
            .bool("echoWireToolInputs", false)
            .str("contextRendering", "announced");
        self.attach("attachment/prompt_snapshot", &attachment.done(), &Rendering::none())
    }
}
