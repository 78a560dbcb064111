package palyra.gateway.internal.engine.turn;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import palyra.api.model.ModelMessage;

/**
 * Fits a conversation into a number of tokens. The instructions and what people said in this run
 * always stay; so does the last round of tools, at most with shorter outputs. A round, which is
 * what the model said with its calls and all their outputs, stays or goes as a whole. In this
 * order: outputs that alone take more than half are shortened, the oldest exchanges of the session
 * go, the oldest rounds of this run are replaced by one line, outputs are shortened further. What
 * is still too long is sent as it is: the number is an estimate. Pure.
 */
final class ContextWindow {
    /** Outputs are not made shorter than that. */
    static final int SHORTEST_OUTPUT = 400;

    private final TokenEstimator tokens;
    private final long most;

    /**
     * Creates a window.
     *
     * @param most tokens that messages may have together; {@link Long#MAX_VALUE} for no bound
     */
    ContextWindow(TokenEstimator tokens, long most) {
        this.tokens = tokens;
        this.most = most;
    }

    /**
     * What is shown.
     *
     * @param leftOut one sentence about omitted or shortened parts; empty when all is
     * @param size estimate of its tokens
     */
    record Fitted(List<ModelMessage> messages, String leftOut, long size) {}

    /**
     * Fits.
     *
     * @param instructions the system prompt; empty for none
     * @param earlier earlier exchanges, each beginning with a user's message
     * @param conversation this run: messages, and rounds of tools
     */
    Fitted fit(String instructions, List<ModelMessage> earlier, List<ModelMessage> conversation) {
        List<ModelMessage> head =
                instructions.isEmpty() ? List.of() : List.of(new ModelMessage.System(instructions));
        Draft draft = new Draft(head, exchanges(earlier), new ArrayList<>(conversation));
        if (draft.size() > most) {
            draft.shortenOutputs(most / 2, false);
            draft.dropExchanges();
            draft.dropRounds();
            draft.shortenOutputs(0, true);
        }
        return new Fitted(draft.messages(), draft.leftOut(), draft.size());
    }

    private static List<List<ModelMessage>> exchanges(List<ModelMessage> earlier) {
        List<List<ModelMessage>> exchanges = new ArrayList<>();
        for (ModelMessage message : earlier) {
            if (exchanges.isEmpty() || message instanceof ModelMessage.User) {
                exchanges.add(new ArrayList<>());
            }
            exchanges.getLast().add(message);
        }
        return exchanges;
    }

    /** A conversation that gets shorter. */
    private final class Draft {
        private final List<ModelMessage> head;
        private final List<List<ModelMessage>> exchanges;
        private final List<ModelMessage> conversation;
        private int droppedExchanges;
        private int droppedRounds;
        private int shortened;

        Draft(
                List<ModelMessage> head,
                List<List<ModelMessage>> exchanges,
                List<ModelMessage> conversation) {
            this.head = head;
            this.exchanges = exchanges;
            this.conversation = conversation;
        }

        List<ModelMessage> messages() {
            List<ModelMessage> all = new ArrayList<>(head);
            exchanges.forEach(all::addAll);
            all.addAll(conversation);
            return all;
        }

        long size() {
            return tokens.of(messages());
        }

        void dropExchanges() {
            long size = size();
            while (size > most && !exchanges.isEmpty()) {
                size -= tokens.of(exchanges.removeFirst());
                droppedExchanges++;
            }
        }

        /** Drops the oldest rounds but never the last one; a line takes the place of the first. */
        void dropRounds() {
            List<int[]> rounds = rounds();
            long over = size() - most;
            int drop = 0;
            long freed = 0;
            while (drop < rounds.size() - 1
                    && over + (drop == 0 ? 0 : tokens.of(line(drop))) > freed) {
                int[] round = rounds.get(drop++);
                freed += tokens.of(conversation.subList(round[0], round[1]));
            }
            if (drop == 0) {
                return;
            }
            for (int i = drop - 1; i >= 0; i--) {
                conversation.subList(rounds.get(i)[0], rounds.get(i)[1]).clear();
            }
            conversation.add(rounds.get(0)[0], line(drop));
            droppedRounds = drop;
        }

        private static ModelMessage line(int rounds) {
            return new ModelMessage.User(
                    "[The gateway left out "
                            + count(rounds, "earlier round")
                            + " of tool calls of this run to fit the model's window.]");
        }

        /** Returns where each round begins and ends. */
        private List<int[]> rounds() {
            List<int[]> rounds = new ArrayList<>();
            int at = 0;
            while (at < conversation.size()) {
                int begin = at++;
                if (conversation.get(begin) instanceof ModelMessage.Assistant) {
                    while (at < conversation.size()
                            && conversation.get(at) instanceof ModelMessage.ToolOutput) {
                        at++;
                    }
                    rounds.add(new int[] {begin, at});
                }
            }
            return rounds;
        }

        /**
         * Shortens outputs.
         *
         * @param aloneTokens outputs of up to so many tokens stay as they are
         * @param untilItFits whether the longest that fits is looked for, down to the shortest
         */
        void shortenOutputs(long aloneTokens, boolean untilItFits) {
            if (!untilItFits) {
                replaceOutputs(
                        text -> tokens.of(text) > aloneTokens ? charsFor(text, aloneTokens) : -1);
                return;
            }
            if (size() <= most) {
                return;
            }
            int low = SHORTEST_OUTPUT;
            int high = longestOutput();
            while (low < high) { // the longest length at which all fits
                int middle = low + (high - low + 1) / 2;
                if (sizeAt(middle) <= most) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            int length = low;
            replaceOutputs(text -> text.length() > length ? length : -1);
        }

        private int longestOutput() {
            return conversation.stream()
                    .filter(ModelMessage.ToolOutput.class::isInstance)
                    .mapToInt(message -> message.text().length())
                    .max()
                    .orElse(0);
        }

        private long sizeAt(int length) {
            long size = 0;
            for (ModelMessage message : messages()) {
                size +=
                        message instanceof ModelMessage.ToolOutput output
                                        && output.text().length() > length
                                ? tokens.of(with(output, TextShortener.to(output.text(), length)))
                                : tokens.of(message);
            }
            return size;
        }

        /** {@code length} returns how long a text may be; below 0 means that it stays. */
        private void replaceOutputs(ToIntFunction<String> length) {
            for (int i = 0; i < conversation.size(); i++) {
                if (conversation.get(i) instanceof ModelMessage.ToolOutput output) {
                    int chars = length.applyAsInt(output.text());
                    if (chars >= 0 && output.text().length() > Math.max(chars, SHORTEST_OUTPUT)) {
                        conversation.set(
                                i,
                                with(
                                        output,
                                        TextShortener.to(
                                                output.text(), Math.max(chars, SHORTEST_OUTPUT))));
                        shortened++;
                    }
                }
            }
        }

        private int charsFor(String text, long wanted) {
            return (int) Math.max(SHORTEST_OUTPUT, text.length() * wanted / tokens.of(text));
        }

        private static ModelMessage.ToolOutput with(ModelMessage.ToolOutput output, String text) {
            return new ModelMessage.ToolOutput(
                    output.callId(), output.toolName(), output.success(), text, output.images());
        }

        String leftOut() {
            List<String> parts = new ArrayList<>();
            if (droppedExchanges > 0) {
                parts.add(count(droppedExchanges, "earlier exchange") + " left out");
            }
            if (droppedRounds > 0) {
                parts.add(count(droppedRounds, "round") + " of tool calls left out");
            }
            if (shortened > 0) {
                parts.add(count(shortened, "tool output") + " shortened");
            }
            return parts.isEmpty() ? "" : String.join(", ", parts) + " to fit " + most + " tokens";
        }
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
