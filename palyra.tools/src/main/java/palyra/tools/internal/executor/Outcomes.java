package palyra.tools.internal.executor;

import java.nio.charset.StandardCharsets;
import java.util.List;
import palyra.api.PalyraException;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolImage;
import palyra.api.tool.ToolResult;
import palyra.shared.json.StrictJson;

/** Maps the end of a call to its outcome and message. Pure functions. */
final class Outcomes {
    /** Executor and enforcement evidence of a call. */
    private record Ran(String executor, String enforcement, String executableSha256) {}

    /** Code of a bundle is trusted and runs as the gateway itself. */
    private static final Ran TRUSTED = new Ran("builtin", "none", "");

    /** A confined call that did not say what ran it: nothing is known to have run. */
    private static final Ran NOTHING = new Ran("none", "none", "");

    /** Largest output in bytes of UTF-8. */
    static final int MAX_OUTPUT_BYTES = 262_144;

    private static final int MAX_ERROR_CHARS = 4_000;

    private Outcomes() {}

    /** Returns the outcome of a call whose tool returned; {@code result} may be null. */
    static ToolOutcome returned(Call call, ToolResult result) {
        String problem = problem(call, result);
        if (problem == null) {
            // A tool that completed has succeeded, even if a stop was requested meanwhile.
            return outcome(call, Outcome.SUCCEEDED, result.outputJson(), "");
        }
        String output = result != null && !result.success() ? usable(call, result) : "{}";
        return call.stopped()
                .map(why -> stopped(call, why, " It said: " + problem))
                .orElseGet(() -> outcome(call, Outcome.FAILED, output, problem));
    }

    /**
     * Returns the outcome of a confined call; what ran it and what was enforced is its own word.
     * What it put out before it was stopped is kept.
     */
    static ToolOutcome confined(Call call, ConfinedResult confined) {
        if (confined == null) {
            return returned(call, null);
        }
        ToolResult result = confined.result();
        String unusable = unusable(call, result);
        String error =
                unusable != null
                        ? unusable
                        : confined.outcome() == Outcome.SUCCEEDED ? "" : problem(call, result);
        Outcome how =
                unusable != null && confined.outcome() == Outcome.SUCCEEDED
                        ? Outcome.FAILED
                        : confined.outcome();
        if (how != Outcome.SUCCEEDED && call.stopped().isPresent()) {
            Outcome why = call.stopped().get();
            how = why;
            error = reason(call, why) + (error == null ? "" : " It said: " + error);
        }
        ToolOutcome outcome =
                outcome(
                        call,
                        how,
                        unusable == null ? result.outputJson() : "{}",
                        error == null ? "" : error,
                        new Ran(
                                confined.executor(),
                                confined.enforcement(),
                                confined.executableSha256()));
        return unusable == null ? with(confined.images(), outcome) : outcome;
    }

    private static ToolOutcome with(List<ToolImage> images, ToolOutcome outcome) {
        return new ToolOutcome(
                outcome.callId(),
                outcome.attempt(),
                outcome.outcome(),
                outcome.outputJson(),
                outcome.error(),
                outcome.executor(),
                outcome.sandboxEnforcement(),
                outcome.executableSha256(),
                outcome.startedAtMillis(),
                outcome.finishedAtMillis(),
                images);
    }

    private static String problem(Call call, ToolResult result) {
        String name = name(call);
        if (result == null) {
            return "Tool " + name + " returned nothing; that is a defect of the tool.";
        }
        if (!result.success()) {
            return result.error().isBlank()
                    ? "Tool " + name + " failed without saying why."
                    : result.error();
        }
        return unusable(call, result);
    }

    private static String usable(Call call, ToolResult failed) {
        return unusable(call, failed) == null ? failed.outputJson() : "{}";
    }

    private static String unusable(Call call, ToolResult result) {
        int bytes = result.outputJson().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_OUTPUT_BYTES) {
            return "Tool "
                    + name(call)
                    + " put out "
                    + bytes
                    + " bytes; at most "
                    + MAX_OUTPUT_BYTES
                    + " are allowed. Ask it for less.";
        }
        try {
            StrictJson.parse(result.outputJson(), "the output of tool " + name(call));
            return null;
        } catch (PalyraException e) {
            return e.getMessage();
        }
    }

    /** Returns the outcome of a call whose tool threw. */
    static ToolOutcome threw(Call call, Throwable thrown) {
        String message = thrown.getMessage();
        String why =
                thrown instanceof PalyraException
                        ? message
                        : "Tool "
                                + name(call)
                                + " failed: "
                                + (message == null || message.isBlank()
                                        ? thrown.getClass().getSimpleName()
                                        : message);
        return call.stopped()
                .map(stop -> stopped(call, stop, ""))
                .orElseGet(() -> outcome(call, Outcome.FAILED, "{}", why));
    }

    /** Returns the outcome of a call that was stopped before its tool was entered. */
    static ToolOutcome notBegun(Call call) {
        Outcome why = call.stopped().orElse(Outcome.INTERRUPTED);
        return outcome(call, why, "{}", reason(call, why) + " It had not started.");
    }

    /** Returns the outcome of a call that was asked to stop and did not. */
    static ToolOutcome abandoned(Call call) {
        Outcome why = call.stopped().orElse(Outcome.INTERRUPTED);
        return stopped(call, why, " It has not stopped yet.");
    }

    private static ToolOutcome stopped(Call call, Outcome why, String more) {
        String effect = descriptor(call).readOnly() ? "" : " It may have taken effect.";
        return outcome(call, why, "{}", reason(call, why) + effect + more);
    }

    private static String reason(Call call, Outcome why) {
        return "Tool "
                + name(call)
                + switch (why) {
                    case TIMED_OUT -> " was stopped because its timeout was reached.";
                    case CANCELLED -> " was stopped because the call was cancelled.";
                    default -> " was interrupted because it was being replaced or removed.";
                };
    }

    private static ToolOutcome outcome(Call call, Outcome how, String output, String error) {
        boolean confined = call.offer().tool() instanceof ConfinedTool;
        return outcome(call, how, output, error, confined ? NOTHING : TRUSTED);
    }

    private static ToolOutcome outcome(
            Call call, Outcome how, String output, String error, Ran ran) {
        return new ToolOutcome(
                call.callId(),
                call.attempt(),
                how,
                output,
                tidy(error),
                ran.executor(),
                ran.enforcement(),
                ran.executableSha256(),
                call.startedAtMillis(),
                Math.max(call.startedAtMillis(), System.currentTimeMillis()));
    }

    /** Bounds a sentence and makes it well-formed: it goes on the tape. */
    private static String tidy(String error) {
        String bounded =
                error.length() > MAX_ERROR_CHARS ? error.substring(0, MAX_ERROR_CHARS) : error;
        byte[] utf8 = bounded.getBytes(StandardCharsets.UTF_8); // halves of pairs become '?'
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static ToolDescriptor descriptor(Call call) {
        return call.offer().descriptor();
    }

    private static String name(Call call) {
        return descriptor(call).name();
    }
}
