//! A conversation: turns until the session has its size, with the accidents of real ones.

use scrollback_compose::compaction::CompactionSpec;
use scrollback_compose::result::Denial;
use scrollback_compose::tool::task::{self, Todo};
use scrollback_compose::{Answer, AnswerBlock, AnswerEnd, Id, Json, Usage, Written, block, place};
use scrollback_format::generation::Generation;

use super::scribe::Scribe;
use super::text::Flavour;

/// The tools that stored requests name.
pub const TOOLS: [&str; 8] = ["Agent", "Bash", "Edit", "Read", "Skill", "ToolSearch", "Workflow", "Write"];

impl Scribe<'_> {
    /// Turns until the session is large enough and all its agents have run.
    pub fn conversation(&mut self) {
        if matches!(self.job.generation, Generation::V2_0_29 | Generation::V2_0_55) {
            for _ in 0..self.agents_left.min(2) {
                self.warm_up();
            }
        }
        self.session.note_state();
        loop {
            self.turn();
            let size = self.session.sheet().len() as u64 + self.beside;
            if size >= self.job.bytes && self.agents_left == 0 {
                break;
            }
            self.between_turns();
        }
        if self.job.checkpoints && self.backups.is_empty() {
            self.last_edit();
        }
        if self.job.huge_line > 0 {
            self.huge_line();
        }
        self.titles();
    }

    fn turn(&mut self) {
        self.turns += 1;
        let prompt = self.ask();
        if self.turns == 1 {
            self.remember(&prompt);
            self.session.preamble(self.system);
        }
        let mut said = prompt_message(&prompt);
        let steps = self.session.source.skewed(3).min(20);
        for _ in 0..steps {
            self.session.request(self.system, &TOOLS, &[said]);
            said = self.step();
        }
        let enough = self.session.sheet().len() as u64 + self.beside >= self.job.bytes;
        let inline = self.job.generation == Generation::V1_0 && self.session.source.chance(60);
        if inline || self.agents_left > 0 && (enough || self.session.source.chance(250)) {
            self.helper();
        }
        self.session.request(self.system, &TOOLS, &[said]);
        self.conclude();
        let millis = self.session.source.between(2_000, 200_000);
        self.session.turn_duration(millis);
        let last: String = prompt.chars().take(200).collect();
        self.session.note_last_prompt(&last);
        self.session.note_state();
    }

    /// A prompt, now and then with pasted code or a picture.
    fn ask(&mut self) -> String {
        let dice = &mut self.session.source;
        dice.pause(20_000);
        let size = dice.skewed(120);
        let mut text = self.pools.piece(dice, Flavour::Prose, size.max(12)).trim().to_owned();
        if dice.chance(60) {
            let size = dice.skewed(1_500);
            text.push_str("\n\n```\n");
            text.push_str(self.pools.piece(dice, Flavour::Code, size));
            text.push_str("\n```");
        }
        let content = if dice.chance(15) {
            let size = dice.skewed(30_000);
            let picture = self.pools.base64(dice, size / 4 * 4);
            self.out.totals.event("images");
            Json::list([block::text(&text), block::image("image/png", &picture)])
        } else {
            Json::text(&text)
        };
        self.before_prompt = self.session.tail().cloned();
        self.session.prompt_with_snapshot(&content, &self.backups);
        text
    }

    /// One message with tool calls, and their results. Gives the message a request would send next.
    fn step(&mut self) -> Json {
        let dice = &mut self.session.source;
        let thought = dice.chance(350).then(|| {
            let size = dice.skewed(500);
            (self.pools.piece(dice, Flavour::Prose, size), Id::signature(dice, 320))
        });
        let size = dice.skewed(160);
        let text = dice.chance(550).then(|| self.pools.piece(dice, Flavour::Prose, size));
        let count = if dice.chance(150) { dice.between(2, 4) } else { 1 };
        let uses: Vec<_> = (0..count).map(|_| self.tool_use()).collect();
        let mut blocks = Vec::new();
        if let Some((text, signature)) = &thought {
            blocks.push(AnswerBlock::Thinking { text, signature: signature.as_str() });
        }
        blocks.extend(text.map(AnswerBlock::Text));
        blocks.extend(uses.iter().map(|used| used.block.clone()));
        let written = self.say(blocks, AnswerEnd::ToolUse);
        let mut last = Json::null();
        for (used, call) in uses.iter().zip(&written.calls) {
            last = self.give(call, used);
        }
        last
    }

    /// Writes an answer and counts it.
    pub fn say(&mut self, blocks: Vec<AnswerBlock<'_>>, stop: AnswerEnd) -> Written {
        let usage = self.usage(&blocks);
        let written = self.session.answer(&Answer { blocks, usage, stop });
        self.spent.message(&written, self.job.generation);
        self.cost.input += usage.input;
        self.cost.output += usage.output;
        self.cost.cache_read += usage.cache_read;
        self.cost.cache_5m += usage.cache_5m;
        self.cost.cache_1h += usage.cache_1h;
        written
    }

    /// Tokens of about the size of the blocks, over a context that grows.
    fn usage(&mut self, blocks: &[AnswerBlock<'_>]) -> Usage {
        let letters: usize = blocks
            .iter()
            .map(|block| match block {
                AnswerBlock::Text(text) | AnswerBlock::Thinking { text, .. } => text.len(),
                AnswerBlock::Call { input, .. } => input.as_bytes().len(),
            })
            .sum();
        let dice = &mut self.session.source;
        let fresh = dice.between(150, 3_000);
        let long_lived = dice.chance(250);
        let output = 8 + letters as u64 / 4;
        let usage = Usage {
            input: dice.between(2, 14),
            output,
            output_at_start: dice.between(1, 8).min(output),
            cache_read: self.context,
            cache_5m: if long_lived { 0 } else { fresh },
            cache_1h: if long_lived { fresh } else { 0 },
        };
        self.context = (self.context + fresh + output).min(190_000);
        usage
    }

    /// The answer that ends the turn, or what came instead of it.
    fn conclude(&mut self) {
        let dice = &mut self.session.source;
        let size = dice.skewed(700);
        let text = self.pools.piece(dice, Flavour::Prose, size.max(20));
        match dice.below(1000) {
            0..=19 => {
                let cut = self.say(vec![AnswerBlock::Text(text)], AnswerEnd::Cut);
                self.session.interruption(false, Some(&cut.message));
                self.out.totals.event("interruptions");
            }
            20..=26 => {
                self.session.retry(1, 600);
                self.session.api_error("API Error: 529 Overloaded", "overloaded", 529);
                self.out.totals.event("api_errors");
            }
            27..=40 => {
                self.say(vec![AnswerBlock::Text(text)], AnswerEnd::MaxTokens);
            }
            _ => {
                self.say(vec![AnswerBlock::Text(text)], AnswerEnd::EndTurn);
            }
        }
    }

    /// What happens between two turns.
    fn between_turns(&mut self) {
        if self.context > 185_000 || self.session.source.chance(6) {
            self.compact();
        }
        match self.session.source.below(1000) {
            0..=14 => self.rewind(),
            15..=39 => {
                self.session.slash_command("model", "opus", "Set model to opus");
            }
            40..=59 => {
                let dice = &mut self.session.source;
                let size = dice.skewed(300);
                let output = self.pools.piece(dice, Flavour::Output, size);
                self.session.bash_mode("git status --short", output, "");
            }
            60..=79 => {
                self.session.absorb_queued("and update the changelog too");
                self.out.totals.event("queued_prompts");
            }
            80..=99 => self.session.cost_state("1.25", 90_000, self.cost),
            100..=149 => self.todos(),
            _ => {}
        }
    }

    fn compact(&mut self) {
        let dice = &mut self.session.source;
        let size = dice.skewed(6_000);
        let summary = self.pools.piece(dice, Flavour::Prose, size.max(400));
        let summary = format!(
            "This session is being continued from a previous conversation that ran out of context. The conversation \
             is summarized below:\n{summary}"
        );
        let manual = dice.chance(400);
        let kept: Vec<Id> = self.session.tail().cloned().into_iter().collect();
        self.session.compact(&CompactionSpec {
            manual,
            tokens_before: self.context,
            tokens_after: 4_000,
            summary: &summary,
            kept: &kept,
        });
        self.context = 18_000;
        self.out.totals.event("compactions");
    }

    /// Back to before the last prompt: the next one hangs on what that one hung on, as a second child.
    fn rewind(&mut self) {
        self.session.rewind(self.before_prompt.clone());
        self.session.note_rewind();
        self.out.totals.event("rewinds");
    }

    fn todos(&mut self) {
        let todos: Vec<Todo> = ["pending", "in_progress", "completed"]
            .into_iter()
            .map(|status| Todo::new(&self.title(), status, "Working on it"))
            .collect();
        let generation = self.job.generation;
        if generation >= Generation::V2_1_80 {
            let written = self.say(
                vec![task::create(&todos[0].content, "As discussed.", "Working on it")],
                AnswerEnd::ToolUse,
            );
            self.session.result(&written.calls[0], &task::created(self.turns, &todos[0].content));
        } else {
            let written = self.say(vec![task::todo_write(&todos)], AnswerEnd::ToolUse);
            self.session.result(&written.calls[0], &task::todo_result(generation, &[], &todos));
        }
    }

    /// One line of many megabytes: a picture in newer clients, output in older ones.
    fn huge_line(&mut self) {
        let generation = self.job.generation;
        let size = usize::try_from(self.job.huge_line / 2).unwrap_or(0);
        let path = format!("{}/assets/poster.png", self.job.cwd);
        let written = self.say(vec![scrollback_compose::tool::read(&path)], AnswerEnd::ToolUse);
        let outcome = if generation >= Generation::V2_1_9 {
            let picture = self.pools.base64(&mut self.session.source, size / 4 * 4);
            scrollback_compose::tool::read_image("image/png", &picture, self.job.huge_line / 3)
        } else {
            let text = self.pools.long_output(&mut self.session.source, size);
            scrollback_compose::tool::read_result(generation, &path, &text)
        };
        self.session.result(&written.calls[0], &outcome);
        self.out.totals.event("huge_lines");
        self.say(vec![AnswerBlock::Text("That is the poster.")], AnswerEnd::EndTurn);
    }

    /// A session that shall have backups and changed nothing yet changes a file.
    fn last_edit(&mut self) {
        let used = self.edit_use();
        let written = self.say(vec![used.block.clone()], AnswerEnd::ToolUse);
        self.give(&written.calls[0], &used);
        self.say(vec![AnswerBlock::Text("Changed.")], AnswerEnd::EndTurn);
    }

    fn titles(&mut self) {
        let title = self.title();
        let dice = &mut self.session.source;
        if dice.chance(150) {
            if let Some(leaf) = self.session.tail().cloned() {
                self.session.summary(&title, &leaf);
            }
        } else if dice.chance(200) {
            self.session.custom_title(&title);
            let id = self.session.id().clone();
            if let Some(path) = place::title_sidecar(self.job.generation, &self.job.cwd, &id)
                .filter(|_| self.session.source.chance(500))
            {
                self.file(path, scrollback_compose::area::title_sidecar(&title));
            }
        } else {
            self.session.ai_title(&title);
        }
    }

    /// A call that was not allowed, now and then.
    pub fn refuse(&mut self, call: &scrollback_compose::WrittenCall) {
        let message = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
        self.session.refusal(call, message, Denial::UserRejected);
        self.spent.error();
    }
}

fn prompt_message(prompt: &str) -> Json {
    let content = Json::list([block::text(prompt)]);
    scrollback_compose::Object::new().str("role", "user").put("content", &content).done()
}
