package palyra.models.internal.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import palyra.api.model.ToolProposal;

/**
 * Assembles the calls of a turn from pieces, which may be interleaved, in the order of their
 * indexes. Not thread-safe.
 *
 * <p>A piece belongs to the call of its index; a new id at an index that has another id begins a
 * new call, because some servers number every call 0. Without an index it belongs to the call of
 * its id, without either to the last one, unless it has a name and the last one an input already.
 */
public final class CallAssembler {
    /** Most calls of a turn. */
    static final int MAX_CALLS = 128;

    /** Largest input of a call in characters. */
    static final int MAX_INPUT_CHARS = 512 * 1_024;

    /** Most characters of all inputs and ids of a turn together. */
    static final int MAX_CHARS = 4 * MAX_INPUT_CHARS;

    private static final int MAX_NAME_CHARS = 256;

    private final String provider;
    private final List<Call> calls = new ArrayList<>();
    private long chars;

    private static final class Call {
        private int index;
        private String id = "";
        private final List<String> names = new ArrayList<>();
        private final StringBuilder input = new StringBuilder();
    }

    CallAssembler(String provider) {
        this.provider = provider;
    }

    /** Returns whether it has no call. */
    public boolean isEmpty() {
        return calls.isEmpty();
    }

    /**
     * Adds a piece.
     *
     * @param index number of the call; negative when absent
     * @param id its id; may be empty
     * @param name the name or a piece of it; may be empty
     * @param input a piece of its input; may be empty
     */
    public void piece(int index, String id, String name, String input) throws TurnFailure {
        Call call = callOf(index, id, !name.isEmpty());
        chars += input.length() + (call.id.isEmpty() ? id.length() : 0);
        call.id = call.id.isEmpty() ? id : call.id;
        if (!name.isEmpty()) {
            call.names.add(name);
        }
        call.input.append(input);
        require(
                String.join("", call.names).length() <= MAX_NAME_CHARS,
                "the name of a tool is longer than " + MAX_NAME_CHARS + " characters.");
        require(
                call.input.length() <= MAX_INPUT_CHARS,
                "the input of a call is longer than " + MAX_INPUT_CHARS + " characters.");
        require(
                chars <= MAX_CHARS,
                "the inputs of its calls have more than " + MAX_CHARS + " characters together.");
    }

    /** Returns how many characters of inputs and ids are held. */
    long chars() {
        return chars;
    }

    private Call callOf(int index, String id, boolean named) throws TurnFailure {
        for (int i = calls.size() - 1; i >= 0; i--) {
            Call call = calls.get(i);
            boolean sameId = id.isEmpty() || call.id.isEmpty() || call.id.equals(id);
            boolean next = id.isEmpty() && named && !call.input.isEmpty();
            boolean same =
                    index >= 0
                            ? call.index == index && sameId
                            : id.isEmpty() ? !next : call.id.equals(id);
            if (same) {
                return call;
            }
            if (index < 0 && id.isEmpty()) {
                break;
            }
        }
        require(calls.size() < MAX_CALLS, "it proposes more than " + MAX_CALLS + " calls.");
        Call call = new Call();
        call.index =
                index >= 0 ? index : calls.stream().mapToInt(c -> c.index).max().orElse(-1) + 1;
        calls.add(call);
        return call;
    }

    private void require(boolean within, String otherwise) throws TurnFailure {
        if (!within) {
            throw ModelFailures.tooLarge(provider, otherwise);
        }
    }

    /** Returns the calls with the gateway's tool names, and inputs repaired where that is safe. */
    List<ToolProposal> proposals(ToolNames names) throws TurnFailure {
        List<ToolProposal> proposals = new ArrayList<>();
        List<Call> ordered = new ArrayList<>(calls);
        ordered.sort(Comparator.comparingInt(call -> call.index));
        for (Call call : ordered) {
            String name = name(call.names, names);
            if (name.isBlank()) {
                throw ModelFailures.malformed(provider, "it calls a tool without a name.");
            }
            proposals.add(
                    new ToolProposal(
                            "", names.inward(name), ToolJson.repaired(call.input.toString())));
        }
        return proposals;
    }

    /** Some servers send a name in pieces, others the whole name with each piece of the input. */
    private static String name(List<String> pieces, ToolNames names) {
        String joined = String.join("", pieces);
        boolean repeated = new HashSet<>(pieces).size() == 1 && !names.offered(joined);
        return repeated ? pieces.get(0) : joined;
    }
}
