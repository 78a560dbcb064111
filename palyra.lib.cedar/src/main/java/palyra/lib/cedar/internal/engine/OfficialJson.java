package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.lib.cedar.internal.json.JsonWriter;
import palyra.lib.cedar.internal.text.PolicyPiece;

/**
 * The official JSON of the pieces of a set. A large set is converted piece by piece and kept as
 * text: a tree of it would take ten times the room.
 *
 * @param policies one for each piece, in their order
 * @param links of templates, under the ids of native code
 */
record OfficialJson(List<String> policies, List<?> links) {
    /** Pieces of one call; a call with few nodes needs little memory. */
    private static final int BATCH_NODES = 5_000;

    static final OfficialJson NONE = new OfficialJson(List.of(), List.of());

    /** Converts a set whose links are checked. */
    static OfficialJson linked(Sources sources, Map<String, Integer> templates)
            throws NativeCalls.Refusal {
        Map<String, Object> whole =
                NativeCalls.policySetToJson(sources.policySet(i -> true, templates));
        List<String> policies = new ArrayList<>();
        for (int i = 0; i < sources.pieces().size(); i++) {
            policies.add(text(whole, sources.pieces().get(i), i));
        }
        return new OfficialJson(policies, NativeCalls.list(whole.get("templateLinks")));
    }

    /** Converts the new policies of a set without links; earlier ones come from the cache. */
    static OfficialJson of(Sources sources, KnownPolicies known) throws NativeCalls.Refusal {
        List<PolicyPiece> pieces = sources.pieces();
        String[] json = new String[pieces.size()];
        int from = 0;
        while (from < pieces.size()) {
            int to = from;
            long nodes = 0;
            boolean fresh = false;
            while (to < pieces.size() && nodes < BATCH_NODES) {
                json[to] = known.find(pieces.get(to).text());
                nodes += json[to] == null ? pieces.get(to).nodes() : 0;
                fresh |= json[to] == null;
                to++;
            }
            if (fresh) {
                convert(sources, json, from, to, known);
            }
            from = to;
        }
        return new OfficialJson(List.of(json), List.of());
    }

    private static void convert(
            Sources sources, String[] json, int from, int to, KnownPolicies known)
            throws NativeCalls.Refusal {
        Map<String, Object> answer =
                NativeCalls.policySetToJson(
                        sources.policySet(i -> i >= from && i < to && json[i] == null, Map.of()));
        for (int i = from; i < to; i++) {
            if (json[i] == null) {
                json[i] = text(answer, sources.pieces().get(i), i);
                known.keep(sources.pieces().get(i).text(), json[i]);
            }
        }
    }

    private static String text(Map<String, Object> answer, PolicyPiece piece, int number) {
        String kind = piece.isTemplate() ? "templates" : "staticPolicies";
        return JsonWriter.write(
                NativeCalls.map(NativeCalls.map(answer.get(kind)).get("p" + number)));
    }

    /** Returns the whole set with the ids that people know. */
    String whole(Sources sources) {
        StringBuilder out = new StringBuilder(length(sources));
        out.append("{\"staticPolicies\":");
        append(out, sources, false);
        out.append(",\"templates\":");
        append(out, sources, true);
        out.append(",\"templateLinks\":").append(JsonWriter.write(named(sources))).append('}');
        return out.toString();
    }

    private int length(Sources sources) {
        int length = 100;
        for (int i = 0; i < policies.size(); i++) {
            length += policies.get(i).length() + sources.pieces().get(i).id().length() + 10;
        }
        return length;
    }

    private void append(StringBuilder out, Sources sources, boolean templates) {
        String separator = "{";
        for (int i = 0; i < policies.size(); i++) {
            PolicyPiece piece = sources.pieces().get(i);
            if (piece.isTemplate() == templates) {
                out.append(separator).append(JsonWriter.write(piece.id())).append(':');
                out.append(policies.get(i));
                separator = ",";
            }
        }
        out.append(separator.equals("{") ? "{}" : "}");
    }

    private List<Object> named(Sources sources) {
        List<Object> named = new ArrayList<>();
        for (Object each : links) {
            Map<String, Object> link = new LinkedHashMap<>(NativeCalls.map(each));
            int template = Sources.number(NativeCalls.text(link.get("templateId")));
            int number = Sources.number(NativeCalls.text(link.get("newId")));
            link.put("templateId", sources.pieces().get(template).id());
            link.put("newId", sources.request().links().get(number).id());
            named.add(link);
        }
        return named;
    }
}
