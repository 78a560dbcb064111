package palyra.models.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import palyra.shared.json.StrictJson;

/** A script with the steps of each turn. Past its end the model says {@code done}. */
record Script(List<List<Step>> turns) {
    /** The line that makes a message a script. */
    static final String MARK = "#!palyra-script";

    private static final int MAX_TURNS = 1_000;
    private static final int MAX_STEPS = 10_000;
    private static final List<Step> PAST_THE_END = List.of(new Step.Say("done", -1));

    Script {
        turns = turns.stream().map(List::copyOf).toList();
    }

    /** Returns whether a message is a script: its first line is the mark and nothing else. */
    static boolean isScript(String message) {
        int end = message.indexOf('\n');
        return end >= 0 && message.substring(0, end).stripTrailing().equals(MARK);
    }

    /**
     * Reads a message for which {@link #isScript} holds.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT naming the error and its place
     */
    static Script read(String message) {
        String json = message.substring(message.indexOf('\n') + 1);
        JsonNode root = StrictJson.parse(json, "the script");
        JsonNode turns = root.path("turns");
        for (Iterator<String> names = root.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!name.equals("turns")) {
                throw Refusal.of("it", "has the unknown field '" + name + "'; use turns");
            }
        }
        if (!turns.isArray() || turns.size() > MAX_TURNS) {
            throw Refusal.of(
                    "it", "needs {\"turns\":[[step, …], …]} with at most " + MAX_TURNS + " turns");
        }
        List<List<Step>> read = new ArrayList<>();
        for (int turn = 0; turn < turns.size(); turn++) {
            read.add(readTurn(turn + 1, turns.get(turn)));
        }
        return new Script(read);
    }

    private static List<Step> readTurn(int number, JsonNode turn) {
        if (!turn.isArray() || turn.size() > MAX_STEPS) {
            throw Refusal.of("turn " + number, "is not a list of at most " + MAX_STEPS + " steps");
        }
        List<Step> steps = new ArrayList<>();
        for (int step = 0; step < turn.size(); step++) {
            steps.add(StepReader.read("step " + (step + 1) + " of turn " + number, turn.get(step)));
        }
        return steps;
    }

    /** Returns the steps of a turn, counted from 0. */
    List<Step> turn(int index) {
        return index < turns.size() ? turns.get(index) : PAST_THE_END;
    }
}
