package palyra.policy.internal.decide;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import palyra.api.PalyraException;
import palyra.api.core.policy.Policies.PolicyText;
import palyra.api.core.policy.PolicyProblem;
import palyra.lib.cedar.PolicySetLimits;
import palyra.shared.json.StrictJson;

/** Reads a file of cases; what cannot be read becomes a problem at its place. */
final class CaseFile {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int MOST = PolicySetLimits.STANDARD.cases();

    private final PolicyText file;
    private final List<Entry> entries = new ArrayList<>();
    private final List<PolicyProblem> problems = new ArrayList<>();

    /**
     * A case that could be read.
     *
     * @param at offset of its first character in the file
     */
    record Entry(PolicyCase theCase, int at) {}

    private CaseFile(PolicyText file) {
        this.file = file;
    }

    static CaseFile read(PolicyText file) {
        CaseFile read = new CaseFile(file);
        JsonNode list;
        try {
            list = StrictJson.parse(file.text(), "The file");
        } catch (PalyraException e) {
            read.unreadable(e);
            return read;
        }
        if (!list.isArray() || list.size() > MOST) {
            read.problem(0, "A file of cases is a list, in brackets, of up to " + MOST + " cases.");
            return read;
        }
        List<Integer> places = places(file.text());
        for (int i = 0; i < list.size(); i++) {
            read.add(list.get(i), i, places.get(i));
        }
        return read;
    }

    List<Entry> entries() {
        return entries;
    }

    List<PolicyProblem> problems() {
        return problems;
    }

    private void add(JsonNode node, int index, int at) {
        try {
            entries.add(new Entry(PolicyCase.read(node, "#" + (index + 1)), at));
        } catch (IllegalArgumentException | PalyraException e) {
            problem(at, e.getMessage());
        }
    }

    /** Adds an error about the line that has this offset. */
    PolicyProblem problem(int at, String message) {
        PolicyProblem problem =
                ProblemLocations.problem(true, file.name(), 1, file.text(), at, 1, message, "");
        problems.add(problem);
        return problem;
    }

    private void unreadable(PalyraException e) {
        int at = 0;
        if (e.getCause() instanceof JsonProcessingException json && json.getLocation() != null) {
            at = offset(json.getLocation());
        }
        problem(at, e.getMessage());
    }

    private int offset(JsonLocation location) {
        long at = location.getCharOffset();
        return (int) Math.max(0, Math.min(at, file.text().length()));
    }

    /** Returns where the members of the list begin. */
    private static List<Integer> places(String text) {
        List<Integer> places = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(text)) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                places.add((int) parser.currentTokenLocation().getCharOffset());
                parser.skipChildren();
            }
        } catch (IOException e) {
            throw new IllegalStateException("JSON that was read cannot be read again", e);
        }
        return places;
    }
}
