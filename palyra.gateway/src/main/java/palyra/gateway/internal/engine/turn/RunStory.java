package palyra.gateway.internal.engine.turn;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.shared.fold.Call;

/**
 * What a run did, for the next runs of its session: its calls of tools, each shortened, the last
 * ones within a bound; and, when it has no answer, what the agent had said until then, and how it
 * ended. Pure.
 */
final class RunStory {
    /** Most characters of the calls of one run. */
    static final int MOST_CHARS = 8_000;

    /** Most characters of what an agent said in a run that has no answer. */
    static final int SAID_CHARS = 4_000;

    private static final int INPUT_CHARS = 240;
    private static final int RESULT_CHARS = 400;
    private static final String OPEN = "no result";

    /** Model servers take names without it, and get an underscore in its place. */
    private static final Pattern NOT_OF_NAMES = Pattern.compile("[^A-Za-z0-9_-]");

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

    /**
     * Returns what stands for the answer of a run that has none.
     *
     * @param said what the agent said in it all the same; see {@link #said}
     */
    static String ending(RunState state, String why, String said) {
        String end =
                "[This run ended "
                        + state
                        + (said.isEmpty()
                                ? " without an answer"
                                : " before the answer was complete")
                        + (why.isEmpty() ? "" : ": " + why)
                        + "]";
        return said.isEmpty() ? end : TextShortener.to(said, SAID_CHARS) + "\n\n" + end;
    }

    /**
     * Returns what an agent said in a run: the texts of its turns, and what it had streamed of the
     * turn that did not finish. Of a turn that was tried again the last attempt counts.
     */
    static String said(List<TapeEvent> events) {
        List<String> texts = new ArrayList<>();
        StringBuilder streamed = new StringBuilder();
        for (TapeEvent event : events) {
            switch (event) {
                case TapeEvent.ModelToken token -> streamed.append(token.text());
                case TapeEvent.TurnStarted ignored -> streamed.setLength(0);
                case TapeEvent.TurnFinished finished -> {
                    streamed.setLength(0);
                    texts.add(finished.text());
                }
                default -> {} // nothing that the agent said
            }
        }
        texts.add(streamed.toString());
        return texts.stream()
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n\n"));
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
                + NOT_OF_NAMES.matcher(tool).replaceAll("_")
                + " "
                + TextShortener.to(input, INPUT_CHARS)
                + " -> "
                + (result == null ? OPEN : result);
    }
}
