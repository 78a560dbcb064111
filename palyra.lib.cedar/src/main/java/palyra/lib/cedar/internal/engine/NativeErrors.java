package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.Diagnostic.Severity;
import palyra.lib.cedar.internal.text.Reports;
import palyra.lib.cedar.internal.text.SourceText;

/** Makes diagnostics of the errors of native code, whose places are offsets in UTF-8 bytes. */
final class NativeErrors {
    private NativeErrors() {}

    /**
     * The text that an error speaks of.
     *
     * @param source the file
     * @param start where the text begins in the file
     * @param end where it ends
     * @param policyId the policy; may be empty
     */
    record Base(SourceText source, int start, int end, String policyId) {
        static Base whole(SourceText source) {
            return new Base(source, 0, source.text().length(), "");
        }
    }

    private record Span(int start, int end, String label) {}

    /** Adds an error, and those related to it; {@code prefix} is cut off its message. */
    static void add(
            List<Diagnostic> found,
            Severity severity,
            Base base,
            Map<String, Object> error,
            String prefix) {
        List<Span> spans = spans(base, error);
        Span place = spans.isEmpty() ? new Span(base.start(), base.start(), "") : spans.getFirst();
        String message = NativeCalls.textOrEmpty(error.get("message"));
        String plain = message.startsWith(prefix) ? message.substring(prefix.length()) : message;
        found.add(
                Reports.at(
                        severity,
                        base.source(),
                        place.start(),
                        place.end(),
                        plain + others(base.source(), spans),
                        help(error, place),
                        base.policyId()));
        if (error.get("related") instanceof List<?> related) {
            for (Object each : related) {
                add(found, severity, base, NativeCalls.map(each), "");
            }
        }
    }

    private static List<Span> spans(Base base, Map<String, Object> error) {
        List<Span> spans = new ArrayList<>();
        if (error.get("sourceLocations") instanceof List<?> locations) {
            for (Object each : locations) {
                Map<String, Object> location = NativeCalls.map(each);
                int start = offset(base, location.get("start"));
                int end = Math.max(start, offset(base, location.get("end")));
                spans.add(new Span(start, end, NativeCalls.textOrEmpty(location.get("label"))));
            }
        }
        return spans;
    }

    private static int offset(Base base, Object bytes) {
        long count = bytes instanceof Long value ? value : 0;
        return base.source().afterBytes(base.start(), base.end(), count);
    }

    private static String help(Map<String, Object> error, Span place) {
        String help = NativeCalls.textOrEmpty(error.get("help"));
        return help.isEmpty() ? place.label() : help;
    }

    private static String others(SourceText source, List<Span> spans) {
        StringBuilder text = new StringBuilder();
        for (Span span : spans.subList(Math.min(1, spans.size()), spans.size())) {
            text.append(" (see also line ")
                    .append(source.line(span.start()))
                    .append(", column ")
                    .append(source.column(span.start()))
                    .append(')');
        }
        return text.toString();
    }
}
