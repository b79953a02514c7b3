//! Todo lists, tasks, plans, questions, workflows and worktrees.

use scrollback_format::generation::Generation;

use super::{ToolOutcome, call};
use crate::block::AnswerBlock;
use crate::id::Id;
use crate::json::{Json, Object};

/// One item of a todo list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Todo {
    /// What to do.
    pub content: String,
    /// `pending`, `in_progress` or `completed`.
    pub status: String,
    /// The same in the progressive form.
    pub active_form: String,
}

impl Todo {
    /// An item.
    pub fn new(content: &str, status: &str, active_form: &str) -> Self {
        Self { content: content.to_owned(), status: status.to_owned(), active_form: active_form.to_owned() }
    }

    /// The item as it stands in lines and in `todos/`.
    pub fn json(&self) -> Json {
        Object::new()
            .str("content", &self.content)
            .str("status", &self.status)
            .str("activeForm", &self.active_form)
            .done()
    }
}

/// A list of items.
pub fn list(todos: &[Todo]) -> Json {
    Json::list(todos.iter().map(Todo::json))
}

/// A call of TodoWrite.
pub fn todo_write<'a>(todos: &[Todo]) -> AnswerBlock<'a> {
    call("TodoWrite", Object::new().put("todos", &list(todos)).done())
}

/// TodoWrite replaced the list.
pub fn todo_result(generation: Generation, old: &[Todo], new: &[Todo]) -> ToolOutcome {
    let result = Object::new()
        .put("oldTodos", &list(old))
        .put("newTodos", &list(new))
        .when(generation >= Generation::V2_1_80, |result| result.bool("verificationNudgeNeeded", false));
    let text = "Todos have been modified successfully. Ensure that you continue to use the todo list to track your \
                progress. Please proceed with the current tasks if applicable";
    ToolOutcome::new(text, result.done())
}

/// A call of TaskCreate.
pub fn create<'a>(subject: &str, description: &str, active_form: &str) -> AnswerBlock<'a> {
    let input =
        Object::new().str("subject", subject).str("description", description).str("activeForm", active_form);
    call("TaskCreate", input.done())
}

/// TaskCreate made a task.
pub fn created(number: u64, subject: &str) -> ToolOutcome {
    let task = Object::new().str("id", &number.to_string()).str("subject", subject).done();
    let text = format!("Task #{number} created successfully: {subject}");
    ToolOutcome::new(&text, Object::new().put("task", &task).done())
}

/// A call of TaskUpdate that changes the status.
pub fn update<'a>(number: u64, status: &str) -> AnswerBlock<'a> {
    let input = Object::new().str("taskId", &number.to_string()).str("status", status);
    call("TaskUpdate", input.done())
}

/// TaskUpdate changed the status.
pub fn updated(generation: Generation, number: u64, from: &str, to: &str) -> ToolOutcome {
    let change = Object::new().str("from", from).str("to", to).done();
    let result = Object::new()
        .bool("success", true)
        .str("taskId", &number.to_string())
        .put("updatedFields", &Json::texts(["status"]))
        .put("statusChange", &change)
        .when(generation == Generation::V2_1_80, |result| result.bool("verificationNudgeNeeded", false));
    ToolOutcome::new(&format!("Updated task #{number} status"), result.done())
}

/// A call of ExitPlanMode.
pub fn exit_plan<'a>(generation: Generation, plan: &str, path: &str) -> AnswerBlock<'a> {
    let input = Object::new()
        .str("plan", plan)
        .when(generation >= Generation::V2_1_200, |input| input.str("planFilePath", path));
    call("ExitPlanMode", input.done())
}

/// The user agreed to the plan.
pub fn plan_approved(generation: Generation, plan: &str, path: &str) -> ToolOutcome {
    let text = format!(
        "User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\n\
         Your plan has been saved to: {path}\nYou can refer back to it if needed during implementation.\n\n\
         ## Approved Plan:\n{plan}"
    );
    let result = Object::new()
        .str("plan", plan)
        .bool("isAgent", false)
        .when(generation >= Generation::V2_0_55, |result| result.str("filePath", path));
    ToolOutcome::new(&text, result.done())
}

/// A run of a workflow, as its call and its files name it.
#[derive(Debug, Clone)]
pub struct Run<'a> {
    /// `wf_…`.
    pub id: &'a Id,
    /// The background task's id.
    pub task: &'a Id,
    /// The workflow's name.
    pub name: &'a str,
    /// What it does, in a few words.
    pub summary: &'a str,
    /// Folder of its agents' files, absolute.
    pub transcripts: &'a str,
    /// Its script, absolute.
    pub script: &'a str,
}

/// Workflow was started.
pub fn workflow_launched(run: &Run<'_>) -> ToolOutcome {
    let text = format!(
        "Workflow launched in background. Task ID: {}\nSummary: {}\nTranscript dir: {}\nScript file: {}\nRun ID: {}",
        run.task, run.summary, run.transcripts, run.script, run.id
    );
    let result = Object::new()
        .str("status", "async_launched")
        .str("taskId", run.task.as_str())
        .str("taskType", "local_workflow")
        .str("workflowName", run.name)
        .str("runId", run.id.as_str())
        .str("summary", run.summary)
        .str("transcriptDir", run.transcripts)
        .str("scriptPath", run.script);
    ToolOutcome::new(&text, result.done())
}

/// EnterWorktree made a worktree and moved the session there.
pub fn worktree_entered(path: &str, branch: &str) -> ToolOutcome {
    let text = format!(
        "Created worktree at “{path}” on branch “{branch}”. The session is now working in the worktree. Use ExitWorktree \
         to leave mid-session, or exit the session to be prompted."
    );
    let result =
        Object::new().str("worktreePath", path).str("worktreeBranch", branch).str("message", &text).done();
    ToolOutcome::new(&text, result)
}

/// AskUserQuestion with one question; gives the questions list for its call and its result.
pub fn question(question: &str, header: &str, options: &[(&str, &str)]) -> Json {
    let options = options
        .iter()
        .map(|(label, description)| Object::new().str("label", label).str("description", description).done());
    let question = Object::new()
        .str("question", question)
        .str("header", header)
        .put("options", &Json::list(options))
        .bool("multiSelect", false);
    Json::list([question.done()])
}

/// The user answered.
pub fn answered(generation: Generation, questions: &Json, question: &str, answer: &str) -> ToolOutcome {
    let text = format!(
        "Your questions have been answered: \"{question}\"=\"{answer}\". You can now continue with these answers in mind."
    );
    let result = Object::new()
        .put("questions", questions)
        .put("answers", &Object::new().str(question, answer).done())
        .when(generation >= Generation::V2_1_200, |result| result.put("annotations", &Json::empty()));
    ToolOutcome::new(&text, result.done())
}
