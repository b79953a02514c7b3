//! The longer texts of the sample: answers, sources, summaries.

/// `/home/ada/orbit`.
pub mod orbit {
    pub const FLAKY_TEST: &str = "use orbit::link::Link;\n\n#[tokio::test]\nasync fn reconnects_after_drop() {\n    let server = FakeServer::start().await;\n    let link = Link::connect(server.addr()).await.unwrap();\n\n    server.drop_all().await;\n    server.restart().await;\n    tokio::time::sleep(Duration::from_millis(50)).await;\n\n    // The link should be back by now.\n    assert!(link.is_up());\n}\n";
    pub const FLAKY_OLD: &str = "    tokio::time::sleep(Duration::from_millis(50)).await;\n\n    // The link should be back by now.\n    assert!(link.is_up());\n";
    pub const FLAKY_NEW: &str =
        "    link.wait_until_up(Duration::from_secs(5)).await.expect(\"link stays down\");\n";
    pub const FLAKY_THOUGHT: &str = "A sleep of 50 ms before an assertion: on a loaded CI machine the reconnect can take longer. I should confirm that before changing anything.";
    pub const FLAKY_FOUND: &str = "There it is. The test sleeps **50 ms** and then asserts; the reconnect loop waits `40 ms + jitter(0..20)` before its first attempt, so on a busy machine the assertion runs first.\n\nI'll wait for the event instead of for time.";
    pub const FLAKY_ANSWER: &str = "The test was racing the reconnect loop, and is fixed.\n\n**Cause.** The loop waits 40–60 ms before its first attempt; the test slept 50 ms and asserted. Whoever was faster decided.\n\n**Change**\n\n| file | what |\n|---|---|\n| `src/link.rs` | `Link::wait_until_up(timeout)` resolves when the state turns to `Up` |\n| `tests/reconnect.rs` | waits for that event, at most 5 s |\n\n```rust\nlink.wait_until_up(Duration::from_secs(5)).await.expect(\"link stays down\");\n```\n\n200 runs in a row pass; before, the 7th failed. The other two tests that sleep (`tests/beacon.rs:31`, `tests/beacon.rs:58`) have slack of a second, so I left them alone.";
    pub const LINK: &str = "pub struct Link {\n    state: watch::Receiver<State>,\n}\n\nimpl Link {\n    /// Is the link up at this moment?\n    pub fn is_up(&self) -> bool {\n        *self.state.borrow() == State::Up\n    }\n}\n";
    pub const LINK_OLD: &str = "        *self.state.borrow() == State::Up\n    }\n";
    pub const LINK_NEW: &str = "        *self.state.borrow() == State::Up\n    }\n\n    /// Waits until the link is up, or gives up after `timeout`.\n    pub async fn wait_until_up(&self, timeout: Duration) -> Result<(), Elapsed> {\n        let mut state = self.state.clone();\n        tokio::time::timeout(timeout, async { state.wait_for(|s| *s == State::Up).await.ok(); }).await\n    }\n";
    pub const FETCH: &str = "pub async fn fetch_elements(client: &Client, group: &str) -> Result<Vec<Tle>, Error> {\n    let text = client.get(url(group)).send().await?.text().await?;\n    parse(&text)\n}\n";
    pub const FETCH_OLD: &str = "    let text = client.get(url(group)).send().await?.text().await?;\n";
    pub const FETCH_NEW: &str = "    let mut backoff = Backoff::default();\n    let text = loop {\n        match get(client, group).await {\n            Ok(text) => break text,\n            Err(error) if error.is_transient() => backoff.pause_or(error).await?,\n            Err(error) => return Err(error),\n        }\n    };\n";
    pub const BACKOFF: &str = "//! Waiting longer and longer between attempts, with jitter so that clients do not march in step.\n\nconst MAX: Duration = Duration::from_secs(60);\n\npub struct Backoff {\n    attempt: u32,\n}\n\nimpl Backoff {\n    /// The next delay: doubles each time, up to [`MAX`], of which a random half is taken.\n    pub fn next(&mut self) -> Duration {\n        let full = Duration::from_millis(200 << self.attempt.min(10)).min(MAX);\n        self.attempt += 1;\n        full / 2 + full.mul_f64(fastrand::f64() / 2.0)\n    }\n}\n";
    pub const SURVEY: &str = "Three callers, all treat `Err` as final:\n\n1. `src/main.rs:41` prints it and exits 1.\n2. `src/sync.rs:88` logs it and keeps the old elements.\n3. `src/web/api.rs:130` answers 502.";
    pub const RETRY_ANSWER: &str = "`fetch_elements` retries now.\n\n- **When:** on timeouts, connection errors, 429 and 5xx; anything else is final at once.\n- **How often:** five attempts, 200 ms doubling, capped at 30 s as you asked, half of it jitter.\n- **Callers:** unchanged. All three take an error as final, so they only see it later.\n\n```text\nattempt  1      2      3      4      5\nwait     –      0.2s   0.4s   0.8s   1.6s   (± half)\n```\n\nAll 214 tests pass in the background run.";
    pub const SGP4: &str = "/// Initialises the propagator from mean elements.\npub fn sgp4init(elements: &Elements) -> Satellite {\n    todo!()\n}\n";
    pub const SGP4_BODY: &str = "    let ak = (XKE / elements.no_kozai).powf(2.0 / 3.0);\n    let d1 = 0.75 * J2 * (3.0 * elements.inclo.cos().powi(2) - 1.0);\n    Satellite::near_earth(elements, ak, d1)\n";
    pub const NIGHT_SUMMARY: &str = "This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\nAnalysis:\nAda asked for a port of the SGP4 propagator.\n\nSummary:\n1. Primary Request and Intent:\n   Port SGP4 from vendor/sgp4.cpp to src/sgp4.rs, checked against testdata/sgp4-ver.tle.\n\n2. Files and Code Sections:\n   - src/sgp4.rs: `sgp4init` and `sgp4` for near-earth satellites are done.\n\n3. Pending Tasks:\n   - Deep space: dscom, dpper.\n\n4. Current Work:\n   All 667 near-earth vectors agree to 1e-9 km.";
}

/// `/home/ada/lighthouse`.
pub mod lighthouse {
    pub const PLAN: &str = "# Move from SQLite to Postgres\n\n## Steps\n\n1. **Port the SQL.** 109 statements in 5 modules; `INSERT OR REPLACE` becomes `ON CONFLICT`.\n2. **Dual writes.** `app/dual.py` writes to both, reads from SQLite. Off by `DUAL_WRITE=off`.\n3. **Backfill.** 48 M readings by day, newest first, checksummed per day.\n4. **Switch reads.** One deploy, under a minute. SQLite stays written for a week.\n\n## Way back\n\nUntil step 4 has stood for a week: set `READ_FROM=sqlite` and restart.\n\n## Risks\n\n- [ ] clock skew between the two writes\n- [ ] `report.py` relies on SQLite's loose types\n";
    pub const SCRIPT: &str = "export const meta = {name: 'port-queries', description: 'Port each module\\'s SQL'}\nconst modules = ['app/jobs.py', 'app/report.py']\nconst done = await parallel(modules.map(m => () => agent(`Port the SQL of ${m} to Postgres.`, {label: m})))\nreturn `${done.length} modules ported`";
    pub const MIGRATION_ANSWER: &str = "The plan is approved and the small modules are ported.\n\n| module | statements | special |\n|---|---:|---|\n| `app/jobs.py` | 22 | 2 × `INSERT OR REPLACE` |\n| `app/report.py` | 14 | none |\n\nNext is `app/store.py` with 61 statements. I suggest the dual-write layer first, so that the port can be checked against live data.";
    pub const MIGRATION_SUMMARY: &str = "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\nSummary:\n1. Primary Request and Intent:\n   Move lighthouse from SQLite to Postgres with less than five minutes of downtime and a way back.\n\n2. Key decisions:\n   Dual writes, backfill by day, switch of reads in one deploy (see the approved plan).\n\n3. Done:\n   app/jobs.py and app/report.py are ported by a workflow.\n\n4. Next:\n   app/dual.py.";
    pub const DUAL: &str = "\"\"\"Writes to SQLite and Postgres, reads from SQLite.\"\"\"\n\nimport os\n\n\nclass DualStore:\n    def __init__(self, lite, pg):\n        self.lite, self.pg = lite, pg\n        self.enabled = os.environ.get(\"DUAL_WRITE\", \"on\") == \"on\"\n\n    def write(self, reading):\n        self.lite.write(reading)\n        if self.enabled:\n            self.pg.write(reading)\n";
    pub const LOG: &str = "03:12:04 lighthouse[811]: export: writing export-1731.parquet\n03:12:09 lighthouse[811]: OSError: [Errno 28] No space left on device\n03:12:09 systemd[1]: lighthouse.service: Main process exited, status=1\n03:12:39 systemd[1]: lighthouse.service: Scheduled restart job";
    pub const NIGHT_ANSWER: &str = "The disk was full.\n\n1. At 03:10 it stood at **99.8 %** (`sar`), at 03:12 the export failed with `ENOSPC`.\n2. The restart removed its own temporary file, which is why `df` shows 44 % now.\n3. It will happen again: each night leaves an export of 3 GB in `tmp/`, and nothing deletes them.";
    pub const JOBS: &str = "def nightly():\n    path = export_path()\n    write_export(path)\n";
    pub const JOBS_OLD: &str = "    path = export_path()\n";
    pub const JOBS_NEW: &str = "    dropped = drop_older_than(TMP, days=1)\n    log.info(\"dropped %d old exports\", dropped)\n    path = export_path()\n";
    pub const ALERT_ANSWER: &str = "Two lines in the collector and one rule:\n\n```yaml\n- alert: DiskNearlyFull\n  expr: node_filesystem_avail_bytes / node_filesystem_size_bytes < 0.10\n  for: 10m\n```\n\nIt would have fired at 02:55, seventeen minutes before the job died.";
    pub const DEPLOY: &str = "Reads lamps.\n\n## Deployment\n\nCopy `lighthouse.service` to `/etc/systemd/system`, then `systemctl enable --now lighthouse`.\n";
}

/// `/home/ada/tidepool`.
pub mod tidepool {
    pub const CHART: &str = "export function Chart({ points }: Props) {\n  const y = d3.scaleLinear().domain([0, d3.mean(points)!]).range([height, 0]);\n  const line = d3.line().y((d) => y(d.level));\n  return <path d={line(points)!} />;\n}\n";
    pub const CHART_OLD: &str = "domain([0, d3.mean(points)!])";
    pub const CHART_NEW: &str = "domain([0, 1.1 * d3.max(points, (d) => d.level)!])";
    pub const CHART_LINE: &str = "y(d.level));";
    pub const CHART_CLAMPED: &str = "Math.max(0, y(d.level)));";
    pub const CHART_ANSWER: &str = "The domain now ends 10 % above the day's highest level:\n\n```tsx\nconst y = d3.scaleLinear().domain([0, 1.1 * d3.max(points, (d) => d.level)!])\n```\n\nThe six tests of the chart pass.";
    pub const STACK: &str = "ResizeObserver loop completed with undelivered notifications.\n    at Chart (src/Chart.tsx:14:9)\n    at TidePage (src/pages/TidePage.tsx:31:5)\n    at Suspense\n    at RenderedRoute (react-router.js:4088:5)\n    at Routes (react-router.js:4557:5)\n    at App (src/App.tsx:9:3)";
    pub const STORY: &str = "import { Chart } from \"./Chart\";\n\nexport default { component: Chart };\nexport const SpringTide = { args: { points: wave(4.2) } };\nexport const NeapTide = { args: { points: wave(1.3) } };\n";
    pub const NOTES: &str = "# 0.9\n\n**Charts**\n- The highest wave is no longer clipped.\n- Spring and neap tide are in the legend.\n\n**Under the hood**\n- d3 7.9";
    /// A picture of one pixel.
    pub const PICTURE: &str =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
}

/// `/home/ada/天気`.
pub mod weather {
    pub const FORECAST: &str = "def 表示(station):\n    temp_f = station.temperature\n    print(f\"{station.name}: {temp_f:.1f} 度\")\n";
    pub const FORECAST_OLD: &str =
        "    temp_f = station.temperature\n    print(f\"{station.name}: {temp_f:.1f} 度\")\n";
    pub const FORECAST_NEW: &str =
        "    摂氏 = (station.temperature - 32) * 5 / 9\n    print(f\"{station.name}: {摂氏:.1f} ℃\")\n";
}
