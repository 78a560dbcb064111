package palyra.gateway.internal.engine.turn;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.shared.fold.Call;

/**
 * What a run did, for the next runs of its session: its calls of tools, each shortened, the last
 * ones within a bound; and how it ended when it has no answer. Pure.
 */
final class RunStory {
    /** Most characters of the calls of one run. */
    static final int MOST_CHARS = 8_000;

    private static final int INPUT_CHARS = 240;
    private static final int RESULT_CHARS = 400;
    private static final String OPEN = "no result";

    private RunStory() {}

    /**
     * Returns the message of a run with what was done for it.
     *
     * @param calls lines of {@link #told} or {@link #taped}
     */
    static String message(String message, List<String> calls) {
        if (calls.isEmpty()) {
            return message;
        }
        int first = calls.size();
        int room = MOST_CHARS;
        while (first > 0 && calls.get(first - 1).length() + 1 <= room) {
            room -= calls.get(--first).length() + 1;
        }
        StringBuilder text = new StringBuilder(message);
        text.append("\n\n[Record of the gateway: calls of tools for this message, shortened.");
        if (first > 0) {
            text.append(' ').append(first).append(" earlier ones are left out.");
        }
        for (String call : calls.subList(first, calls.size())) {
            text.append('\n').append(call);
        }
        return text.append(']').toString();
    }

    /** Returns what stands for the answer of a run that has none. */
    static String ending(RunState state, String why) {
        return "[This run ended "
                + state
                + " without an answer"
                + (why.isEmpty() ? "" : ": " + why)
                + "]";
    }

    /** Returns the calls of a conversation in the order of their proposal. */
    static List<String> told(List<ModelMessage> conversation) {
        Map<String, ToolProposal> proposed = new LinkedHashMap<>();
        Map<String, String> results = new LinkedHashMap<>();
        for (ModelMessage message : conversation) {
            if (message instanceof ModelMessage.Assistant assistant) {
                assistant.proposals().forEach(call -> proposed.put(call.callId(), call));
            } else if (message instanceof ModelMessage.ToolOutput output) {
                results.put(output.callId(), result(output.success(), output.text()));
            }
        }
        List<String> calls = new ArrayList<>();
        proposed.forEach(
                (id, call) -> calls.add(line(call.toolName(), call.inputJson(), results.get(id))));
        return calls;
    }

    /** Returns the same of the records of a tape. */
    static List<String> taped(List<TapeEvent> events) {
        Map<String, TapeEvent.ToolCallProposal> proposed = new LinkedHashMap<>();
        Map<String, String> results = new LinkedHashMap<>();
        for (TapeEvent event : events) {
            if (event instanceof TapeEvent.ToolCallProposal proposal) {
                proposed.put(proposal.callId(), proposal);
            } else if (event instanceof TapeEvent.ToolCallOutput output) {
                boolean succeeded = output.outcome() == TapeEvent.Outcome.SUCCEEDED;
                results.put(output.callId(), result(succeeded, Call.told(output)));
            }
        }
        List<String> calls = new ArrayList<>();
        proposed.forEach(
                (id, call) -> calls.add(line(call.tool(), call.inputJson(), results.get(id))));
        return calls;
    }

    private static String result(boolean success, String text) {
        return TextShortener.to(success ? "succeeded: " + text : text, RESULT_CHARS);
    }

    private static String line(String tool, String input, String result) {
        return "- "
                + tool
                + " "
                + TextShortener.to(input, INPUT_CHARS)
                + " -> "
                + (result == null ? OPEN : result);
    }
}
