package palyra.health.internal.history;

import static palyra.health.internal.history.RecordedSeries.level;
import static palyra.health.internal.history.RecordedSeries.mean;
import static palyra.health.internal.history.RecordedSeries.mebibytes;
import static palyra.health.internal.history.RecordedSeries.rate;

import java.util.List;

/**
 * A chart: lines of one unit.
 *
 * @param unit empty for a plain number
 */
record RecordedChart(String title, String unit, List<RecordedSeries> series) {
    private static final String A_MINUTE = "a minute";
    private static final String MEBIBYTES = "MiB";

    /** The charts in the order in which they are shown. */
    static final List<RecordedChart> ALL =
            List.of(
                    new RecordedChart(
                            "Runs and approvals",
                            "",
                            List.of(
                                    level("runs being worked on", "palyra_gateway_active_runs"),
                                    level("approval requests pending", "palyra_approvals_open"))),
                    new RecordedChart(
                            "Runs and messages",
                            A_MINUTE,
                            List.of(
                                    rate("runs begun", "palyra_gateway_started_runs_total"),
                                    rate("messages in", "palyra_channel_messages_in_total"),
                                    rate("messages out", "palyra_channel_messages_out_total"))),
                    new RecordedChart(
                            "Model turns",
                            A_MINUTE,
                            List.of(
                                    rate(
                                            "finished",
                                            "palyra_model_turns_total",
                                            "result",
                                            "finished"),
                                    rate(
                                            "failed",
                                            "palyra_model_turns_total",
                                            "result",
                                            "failed"))),
                    new RecordedChart(
                            "Time of a model turn",
                            "seconds",
                            List.of(mean("mean", "palyra_model_turn_seconds"))),
                    new RecordedChart(
                            "Model tokens",
                            A_MINUTE,
                            List.of(
                                    rate("read", "palyra_model_tokens_total", "direction", "input"),
                                    rate(
                                            "written",
                                            "palyra_model_tokens_total",
                                            "direction",
                                            "output"))),
                    new RecordedChart(
                            "Calls",
                            A_MINUTE,
                            List.of(
                                    rate("tool calls", "palyra_tool_calls_total"),
                                    rate("sandboxed commands", "palyra_sandbox_runs_total"))),
                    new RecordedChart(
                            "Denied",
                            A_MINUTE,
                            List.of(
                                    rate(
                                            "actions",
                                            "palyra_access_decisions_total",
                                            "decision",
                                            "denied"),
                                    rate(
                                            "by policies",
                                            "palyra_policy_decisions_total",
                                            "outcome",
                                            "deny"))),
                    new RecordedChart(
                            "Journal queues",
                            "",
                            List.of(
                                    level("units to write", "palyra_journal_queue_depth"),
                                    level("reads", "palyra_journal_read_queue_depth"))),
                    new RecordedChart(
                            "Size of the journal",
                            MEBIBYTES,
                            List.of(mebibytes("database", "palyra_journal_database_bytes"))),
                    new RecordedChart(
                            "Memory",
                            MEBIBYTES,
                            List.of(
                                    mebibytes("heap in use", "palyra_jvm_heap_used_bytes"),
                                    mebibytes(
                                            "of the process",
                                            "palyra_process_resident_memory_bytes"))));
}
