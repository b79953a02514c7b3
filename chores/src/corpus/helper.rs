//! Agents: warm-ups of the 2.0.x clients, and helpers that do a part of the work.

use scrollback_compose::agent::{AgentMetaFile, meta};
use scrollback_compose::tool::{self, AgentReport, shell};
use scrollback_compose::{
    Answer, AnswerBlock, AnswerEnd, Id, IdSource, SessionAuthor, Usage, Written, place,
};
use scrollback_format::generation::{AgentLayout, Generation};

use super::conversation::TOOLS;
use super::random::Dice;
use super::scribe::Scribe;
use super::text::Flavour;

impl Scribe<'_> {
    /// A stream of its own for an agent, with the same clock.
    fn branch_off(&mut self) -> Dice {
        let seed = self.session.source.bits();
        let mut dice = Dice::new(seed, 1);
        dice.set_clock(self.session.source.clock());
        dice
    }

    /// Counts an agent's message: with the session's own where its lines stand in the session's file, since a copy
    /// of that file repeats them.
    fn book(&mut self, written: &Written) {
        let inline = self.job.generation.facts().agents == AgentLayout::Inline;
        let spent = if inline { &mut self.spent } else { &mut self.out.totals.spent };
        spent.message(written, self.job.generation);
    }

    /// The two agents that 2.0.x starts for every session, to warm its cache.
    pub fn warm_up(&mut self) {
        let dice = self.branch_off();
        let mut agent = self.session.agent("general-purpose", dice);
        agent.agent_prompt("Warmup");
        let usage = Usage { input: 3, output: 60, output_at_start: 2, cache_5m: 9_000, ..Usage::default() };
        let text = "I'm ready to help with the codebase. What would you like me to look at?";
        let written = agent.reply(text, usage);
        self.out.totals.spent.message(&written, self.job.generation);
        self.shelve(agent);
        self.agents_left -= 1;
        self.out.totals.event("warm_ups");
    }

    /// A helper, as the session's next call. 1.x has it among the session's own lines.
    pub fn helper(&mut self) {
        let generation = self.job.generation;
        let dice = self.branch_off();
        let prompt = self.pools.piece(&mut self.session.source, Flavour::Prose, 500).to_owned();
        let call = tool::agent(generation, "Look into it", &prompt, "general-purpose");
        let launch = self.say(vec![AnswerBlock::Text("I hand this to an agent."), call], AnswerEnd::ToolUse);
        let mut agent = self.session.agent("general-purpose", dice);
        let id = agent.agent_id().cloned().unwrap_or_else(|| Id::from("a"));
        let output = format!("/tmp/claude-1000/{}/tasks/{id}.output", self.session.id());
        if generation >= Generation::V2_1_200 {
            let model = self.session.settings.model.clone();
            let outcome = tool::agent_launched(generation, &id, "Look into it", &prompt, &model, &output);
            self.session.result(&launch.calls[0], &outcome);
        } else {
            self.session.agent_progress(&launch.calls[0], &launch.message, &id, &prompt);
        }
        let (answer, calls, usage) = self.work(&mut agent, &prompt);
        let millis = u64::try_from(agent.source.clock() - self.session.source.clock()).unwrap_or(0);
        self.session.source.set_clock(agent.source.clock());
        let report = AgentReport { id: &id, prompt: &prompt, answer: &answer, millis, calls, usage };
        if generation >= Generation::V2_1_200 {
            self.say(vec![AnswerBlock::Text("It is on its way.")], AnswerEnd::EndTurn);
            let notice = tool::agent_notice(&launch.calls[0], "Look into it", &output, &report);
            self.session.task_notification(&notice);
        } else {
            self.session.result(&launch.calls[0], &tool::agent_result(generation, &report));
        }
        self.shelve_with_meta(agent, &launch);
        self.agents_left = self.agents_left.saturating_sub(1);
    }

    /// The agent's own turns.
    fn work(&mut self, agent: &mut SessionAuthor<Dice>, prompt: &str) -> (String, u64, Usage) {
        let generation = self.job.generation;
        agent.agent_prompt(prompt);
        agent.preamble(self.system);
        let steps = agent.source.between(1, 8);
        for _ in 0..steps {
            agent.request(self.system, &TOOLS, &[]);
            let usage = Usage {
                input: 4,
                output: 90,
                output_at_start: 2,
                cache_read: 12_000,
                cache_5m: 700,
                cache_1h: 0,
            };
            let blocks = vec![shell::bash("rg -n retry src", "Search")];
            let written = agent.answer(&Answer { blocks, usage, stop: AnswerEnd::ToolUse });
            self.book(&written);
            let size = agent.source.skewed(700).min(28_000);
            let stdout = self.pools.piece(&mut agent.source, Flavour::Output, size);
            agent.result(&written.calls[0], &shell::bash_result(generation, stdout, ""));
        }
        agent.request(self.system, &TOOLS, &[]);
        let size = agent.source.skewed(500);
        let answer = self.pools.piece(&mut agent.source, Flavour::Prose, size.max(30)).to_owned();
        let usage = Usage {
            input: 4,
            output: 300,
            output_at_start: 2,
            cache_read: 15_000,
            cache_5m: 900,
            cache_1h: 0,
        };
        let written = agent.reply(&answer, usage);
        self.book(&written);
        (answer, steps, written.usage)
    }

    fn shelve_with_meta(&mut self, agent: SessionAuthor<Dice>, launch: &Written) {
        let generation = self.job.generation;
        let model = agent.settings.model.clone();
        let described = AgentMetaFile {
            background: generation >= Generation::V2_1_200,
            ..AgentMetaFile::new("general-purpose", "Look into it", launch.calls.first(), &model)
        };
        if let Some(json) = meta(generation, &described) {
            let path = place::agent_meta(&agent.path());
            self.file(path, json.as_bytes().to_vec());
        }
        self.shelve(agent);
    }

    /// Puts the agent's lines into a file, or (1.x) among the session's own.
    fn shelve(&mut self, mut agent: SessionAuthor<Dice>) {
        let span = agent.span();
        let path = agent.path();
        let sheet = agent.take();
        if self.job.generation == Generation::V1_0 {
            self.out.totals.inline_agents += 1;
            self.out.totals.span(span);
            self.session.absorb(sheet);
            return;
        }
        self.out.totals.agents += 1;
        self.out.totals.span(span);
        self.out.totals.sheet(&sheet);
        self.file(path, sheet.into_bytes());
    }
}
