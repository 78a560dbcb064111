package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.EntityRef;
import palyra.lib.cedar.PolicySetLimits;
import palyra.lib.cedar.TemplateLink;
import palyra.lib.cedar.internal.text.Decoder;
import palyra.lib.cedar.internal.text.PolicyPiece;
import palyra.lib.cedar.internal.text.PolicyScanner;
import palyra.lib.cedar.internal.text.Reports;
import palyra.lib.cedar.internal.text.SourceText;

/**
 * The texts of a request after the checks that need no native code. Native code knows pieces as
 * {@code p0, p1, …} and links as {@code l0, l1, …}: names that people chose never reach it as ids.
 */
final class Sources {
    private static final Pattern TYPE =
            Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*(::[_a-zA-Z][_a-zA-Z0-9]*)*");

    private final CompileRequest request;
    private final PolicySetLimits limits;
    private final List<Diagnostic> problems = new ArrayList<>();
    private final List<PolicyPiece> pieces = new ArrayList<>();
    private Optional<SchemaText> schema = Optional.empty();

    private Sources(CompileRequest request, PolicySetLimits limits) {
        this.request = request;
        this.limits = limits;
    }

    static Sources read(CompileRequest request, PolicySetLimits limits) {
        Sources sources = new Sources(request, limits);
        sources.readPolicies();
        sources.readSchema();
        return sources;
    }

    private void readPolicies() {
        Set<String> names = new HashSet<>();
        long bytes = 0;
        for (CedarFile file : request.policies()) {
            bytes += file.size();
            if (!names.add(file.name())) {
                problems.add(Reports.error(file.name(), "two files have this name"));
            }
        }
        if (bytes > limits.totalBytes() || names.size() > limits.files()) {
            String first = request.policies().getFirst().name();
            problems.add(
                    Reports.error(
                            first,
                            "the files have "
                                    + bytes
                                    + " bytes together; at most "
                                    + limits.totalBytes()
                                    + " in "
                                    + limits.files()
                                    + " files are accepted"));
            return;
        }
        long nodes = 0;
        for (CedarFile file : request.policies()) {
            Optional<SourceText> source = Decoder.decode(file, limits.fileBytes(), problems);
            List<PolicyPiece> found =
                    source.map(text -> PolicyScanner.scan(text, limits, problems))
                            .orElse(List.of());
            pieces.addAll(found);
            nodes += nodes(found);
            if (pieces.size() > limits.policies() || nodes > limits.totalNodes()) {
                tooLarge(file, nodes);
                return;
            }
        }
    }

    private static long nodes(List<PolicyPiece> pieces) {
        return pieces.stream().mapToLong(PolicyPiece::nodes).reduce(0, Sources::sum);
    }

    private static long sum(long a, long b) {
        return Math.min(a + b, Long.MAX_VALUE / 4);
    }

    /** What comes after the place where a limit was passed is not even looked at. */
    private void tooLarge(CedarFile file, long nodes) {
        boolean count = pieces.size() > limits.policies();
        problems.add(
                Reports.error(
                        file.name(),
                        count
                                ? "the policies up to this file are more than "
                                        + limits.policies()
                                        + ", which is the most that a set may have; join policies"
                                        + " that differ only in whom they name"
                                : "the policies up to this file are about "
                                        + nodes
                                        + " tokens; a set may have at most "
                                        + limits.totalNodes()
                                        + ": join policies that differ only in whom they name"));
        pieces.clear();
    }

    private void readSchema() {
        schema = request.schema().flatMap(file -> SchemaText.read(file, limits, problems));
    }

    /** Checks the links against the templates; needs the names that annotations gave them. */
    void checkLinks(Map<String, Integer> templates) {
        Set<String> ids = new HashSet<>();
        pieces.forEach(piece -> ids.add(piece.id()));
        if (request.links().size() > limits.policies()) {
            problems.add(
                    Reports.linkError("", "there are more than " + limits.policies() + " links"));
        }
        for (TemplateLink link : request.links()) {
            Integer index = templates.get(link.templateId());
            if (!ids.add(link.id())) {
                problems.add(Reports.linkError(link.id(), "another policy or link has this id"));
            } else if (link.id().isBlank() || link.id().length() > 1_024) {
                problems.add(
                        Reports.linkError(link.id(), "the id of a link has 1 to 1,024 characters"));
            } else if (index == null) {
                problems.add(
                        Reports.linkError(link.id(), "there is no template " + link.templateId()));
            } else {
                checkValues(link, pieces.get(index));
            }
        }
    }

    private void checkValues(TemplateLink link, PolicyPiece template) {
        if (!template.slots().equals(link.values().keySet())) {
            problems.add(
                    Reports.linkError(
                            link.id(),
                            "the template has the slots "
                                    + new TreeSet<>(template.slots())
                                    + ", the link fills "
                                    + new TreeSet<>(link.values().keySet())));
        }
        for (EntityRef value : link.values().values()) {
            if (!TYPE.matcher(value.type()).matches()) {
                problems.add(
                        Reports.linkError(
                                link.id(), value.type() + " is not the name of an entity type"));
            }
        }
    }

    /** Returns the set as native code wants it: the pieces whose number {@code wanted} takes. */
    Map<String, Object> policySet(IntPredicate wanted, Map<String, Integer> templates) {
        Map<String, Object> policies = new LinkedHashMap<>();
        Map<String, Object> withSlots = new LinkedHashMap<>();
        for (int i = 0; i < pieces.size(); i++) {
            PolicyPiece piece = pieces.get(i);
            if (wanted.test(i)) {
                (piece.isTemplate() ? withSlots : policies).put("p" + i, piece.text());
            }
        }
        Map<String, Object> set = new LinkedHashMap<>();
        set.put("staticPolicies", policies);
        set.put("templates", withSlots);
        set.put("templateLinks", templates.isEmpty() ? List.of() : links(templates));
        return set;
    }

    private List<Object> links(Map<String, Integer> templates) {
        List<Object> links = new ArrayList<>();
        for (int i = 0; i < request.links().size(); i++) {
            TemplateLink link = request.links().get(i);
            Map<String, Object> values = new LinkedHashMap<>();
            link.values()
                    .forEach(
                            (slot, value) ->
                                    values.put(
                                            slot,
                                            Map.of(
                                                    "__entity",
                                                    Map.of(
                                                            "type", value.type(),
                                                            "id", value.id()))));
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("templateId", "p" + templates.get(link.templateId()));
            entry.put("newId", "l" + i);
            entry.put("values", values);
            links.add(entry);
        }
        return links;
    }

    /**
     * Returns the place of a policy by the id that native code has for it; null: not one of ours.
     */
    NativeErrors.Base base(String nativeId, Map<String, Integer> templates) {
        int number = number(nativeId);
        if (nativeId.startsWith("p") && number >= 0 && number < pieces.size()) {
            return base(pieces.get(number), pieces.get(number).id());
        }
        if (nativeId.startsWith("l") && number >= 0 && number < request.links().size()) {
            TemplateLink link = request.links().get(number);
            Integer template = templates.get(link.templateId());
            return template == null ? null : base(pieces.get(template), link.id());
        }
        return null;
    }

    private static NativeErrors.Base base(PolicyPiece piece, String policyId) {
        return new NativeErrors.Base(piece.source(), piece.start(), piece.end(), policyId);
    }

    static int number(String nativeId) {
        return nativeId.matches("[pl][0-9]{1,7}") ? Integer.parseInt(nativeId.substring(1)) : -1;
    }

    CompileRequest request() {
        return request;
    }

    List<Diagnostic> problems() {
        return problems;
    }

    List<PolicyPiece> pieces() {
        return pieces;
    }

    Optional<SchemaText> schema() {
        return schema;
    }
}
