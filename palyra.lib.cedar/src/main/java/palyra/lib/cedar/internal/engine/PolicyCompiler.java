package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompiledPolicy;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.Diagnostic.Severity;
import palyra.lib.cedar.internal.text.PolicyPiece;
import palyra.lib.cedar.internal.text.Reports;

/** Compiles what {@link Sources} accepted. Runs on the {@link NativeThread}. */
final class PolicyCompiler {
    private static final Pattern PARSE_ERROR =
            Pattern.compile(
                    "failed to parse (?:policy|template) with id `([pl][0-9]+)` from string: ");

    private final Sources sources;
    private final List<Diagnostic> found = new ArrayList<>();
    private final Set<Integer> broken = new HashSet<>();
    private final Map<String, Integer> templates = new HashMap<>();

    private final KnownPolicies known;

    private PolicyCompiler(Sources sources, KnownPolicies known) {
        this.sources = sources;
        this.known = known;
    }

    static Compilation compile(Sources sources, KnownPolicies known) {
        return new PolicyCompiler(sources, known).run();
    }

    private Compilation run() {
        boolean schemaFits = sources.schema().isPresent();
        if (schemaFits) {
            found.addAll(sources.schema().get().check());
            schemaFits =
                    found.stream().noneMatch(Diagnostic::isError) && sources.request().validates();
        }
        OfficialJson json = schemaFits ? validated() : parsed();
        List<CompiledPolicy> policies = List.of();
        if (!hasErrors()) {
            policies = new PolicyReader(sources, json.policies(), found).read(templates);
        }
        if (!hasErrors() && !sources.request().links().isEmpty()) {
            json = link(schemaFits);
        }
        boolean ok = !hasErrors();
        return new Compilation(
                sources.request(),
                sorted(),
                ok ? policies : List.of(),
                ok ? json.whole(sources) : "");
    }

    private OfficialJson validated() {
        validate(true, true);
        return hasErrors() ? OfficialJson.NONE : officialJson();
    }

    /** The conversion parses: only what it refuses is parsed once more, for the reasons. */
    private OfficialJson parsed() {
        if (!hasErrors()) {
            try {
                return convert();
            } catch (NativeCalls.Refusal e) {
                validate(false, true);
                return hasErrors() ? OfficialJson.NONE : officialJson();
            }
        }
        validate(false, true);
        return OfficialJson.NONE;
    }

    private boolean hasErrors() {
        return found.stream().anyMatch(Diagnostic::isError);
    }

    private OfficialJson link(boolean schemaFits) {
        int before = found.size();
        sources.checkLinks(templates);
        found.addAll(sources.problems());
        if (found.size() > before) {
            return OfficialJson.NONE;
        }
        List<Diagnostic> earlier = List.copyOf(found);
        found.clear();
        validate(schemaFits, false);
        for (Diagnostic each : earlier) {
            if (!found.contains(each)) {
                found.add(each);
            }
        }
        return hasErrors() ? OfficialJson.NONE : officialJson();
    }

    private OfficialJson officialJson() {
        try {
            return convert();
        } catch (NativeCalls.Refusal e) {
            throw new CedarException(
                    Reason.FAILED,
                    "The Cedar engine accepted the policies and then refused to convert them.");
        }
    }

    private OfficialJson convert() throws NativeCalls.Refusal {
        return sources.request().links().isEmpty()
                ? OfficialJson.of(sources, known)
                : OfficialJson.linked(sources, templates);
    }

    /** Parses and validates; after parse errors once more, without the policies that have them. */
    private void validate(boolean schemaFits, boolean again) {
        Map<String, Object> answer = ask(schemaFits);
        if (NativeCalls.text(answer.get("type")).equals("success")) {
            if (schemaFits) {
                addAll(Severity.ERROR, answer.get("validationErrors"));
                addAll(Severity.WARNING, answer.get("validationWarnings"));
            }
            return;
        }
        int before = found.size();
        for (Object error : NativeCalls.list(answer.get("errors"))) {
            parseError(NativeCalls.map(error));
        }
        if (found.size() == before) {
            found.add(Reports.linkError("", "Cedar refused the policies and gave no reason"));
        }
        if (again && !broken.isEmpty() && broken.size() < sources.pieces().size()) {
            validate(schemaFits, false);
        }
    }

    private Map<String, Object> ask(boolean schemaFits) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("schema", schemaFits ? sources.schema().get().argument() : "");
        request.put("policies", sources.policySet(i -> !broken.contains(i), templates));
        if (schemaFits && sources.request().maxLevel().isPresent()) {
            request.put("maxDerefLevel", sources.request().maxLevel().getAsInt());
            return NativeCalls.operation("ValidateWithLevelOperation", request);
        }
        return NativeCalls.operation("ValidateOperation", request);
    }

    private void parseError(Map<String, Object> error) {
        String message = NativeCalls.textOrEmpty(error.get("message"));
        Matcher matcher = PARSE_ERROR.matcher(message);
        NativeErrors.Base base =
                matcher.lookingAt() ? sources.base(matcher.group(1), templates) : null;
        if (base == null) {
            found.add(Reports.linkError("", message));
            return;
        }
        broken.add(Sources.number(matcher.group(1)));
        NativeErrors.add(found, Severity.ERROR, base, error, matcher.group());
    }

    private void addAll(Severity severity, Object findings) {
        for (Object each : NativeCalls.list(findings)) {
            Map<String, Object> finding = NativeCalls.map(each);
            String id = NativeCalls.text(finding.get("policyId"));
            NativeErrors.Base base = sources.base(id, templates);
            Map<String, Object> error = NativeCalls.map(finding.get("error"));
            if (base == null) {
                found.add(Reports.linkError("", NativeCalls.textOrEmpty(error.get("message"))));
            } else {
                NativeErrors.add(found, severity, base, error, "for policy `" + id + "`, ");
            }
        }
    }

    private List<Diagnostic> sorted() {
        return sorted(sources, found);
    }

    /** Orders by severity, file as in the request, and place, without duplicates. */
    static List<Diagnostic> sorted(Sources sources, List<Diagnostic> found) {
        Map<String, Integer> files = new HashMap<>();
        sources.request().schema().map(CedarFile::name).ifPresent(name -> files.put(name, -1));
        for (CedarFile file : sources.request().policies()) {
            files.putIfAbsent(file.name(), files.size());
        }
        return found.stream()
                .distinct()
                .sorted(
                        Comparator.comparing(Diagnostic::severity)
                                .thenComparing(
                                        each -> files.getOrDefault(each.file(), Integer.MAX_VALUE))
                                .thenComparing(Diagnostic::line)
                                .thenComparing(Diagnostic::column)
                                .thenComparing(Diagnostic::message))
                .toList();
    }

    /** Returns what came of texts that native code never saw. */
    static Compilation refused(Sources sources) {
        return new Compilation(
                sources.request(), sorted(sources, sources.problems()), List.of(), "");
    }

    static String describe(PolicyPiece piece) {
        return piece.source().file() + ":" + piece.source().line(piece.start());
    }
}
