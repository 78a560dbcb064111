package palyra.skills.internal.trycommand;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.skills.internal.run.RunReport;
import palyra.skills.internal.tool.SkillCallService.Ran;

/** Output and exit code of an operator's call. */
final class RunOutput {
    private RunOutput() {}

    static void show(CommandContext context, OperatorCall call, Ran ran) throws IOException {
        if (context.json()) {
            context.output().fields(fields(call, ran));
            return;
        }
        boolean success = ran.result().result().success();
        if (success) {
            context.out()
                    .write(
                            (ran.result().result().outputJson() + "\n")
                                    .getBytes(StandardCharsets.UTF_8));
            context.out().flush();
        }
        fields(call, ran)
                .forEach(
                        (name, value) -> {
                            if (!success || !name.equals("output")) {
                                context.output().note(name + ": " + value);
                            }
                        });
    }

    private static Map<String, Object> fields(OperatorCall call, Ran ran) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("call", call.callId());
        fields.put("outcome", ran.result().outcome().name());
        fields.put("output", ran.result().result().outputJson());
        if (!ran.result().result().error().isEmpty()) {
            fields.put("error", ran.result().result().error());
        }
        fields.put("executor", ran.result().executor());
        fields.put("enforcement", ran.result().enforcement());
        RunReport report = ran.report();
        if (report != null) {
            fields.put("ending", report.result().ending().name());
            fields.put("exitCode", report.exitCode());
            fields.put("fuelUsed", report.result().fuelUsed());
            fields.put("peakMemoryBytes", report.result().memoryPages() * 65_536L);
            fields.put("compileMicros", report.result().compileNanos() / 1_000);
            fields.put("runMicros", report.result().runNanos() / 1_000);
            fields.put("starts", report.starts());
            fields.put("log", report.log());
        }
        return fields;
    }

    static int exitCode(Ran ran) {
        if (ran.refusal() != null) {
            return ExitCodes.of(ran.refusal());
        }
        Outcome outcome = ran.result().outcome();
        return switch (outcome) {
            case SUCCEEDED -> ExitCodes.OK;
            case TIMED_OUT -> ExitCodes.RESOURCE;
            case CANCELLED -> ExitCodes.CANCELLED;
            case INTERRUPTED -> ExitCodes.UNAVAILABLE;
            default ->
                    switch (ran.report().result().ending()) {
                        case OUT_OF_FUEL, OUT_OF_MEMORY, CALL_DEPTH -> ExitCodes.RESOURCE;
                        default -> ExitCodes.FAILED;
                    };
        };
    }
}
