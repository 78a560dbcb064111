package palyra.health.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import palyra.api.core.ops.Metric;

/** The Prometheus text format 0.0.4. For one text; not thread-safe. */
final class PrometheusText {
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
    private static final double EXACT = 1L << 53;

    private final Map<String, List<Metric>> families = new TreeMap<>();
    private final Set<String> samples = new HashSet<>();
    private final Set<String> contradicted = new TreeSet<>();
    private int dropped;

    /**
     * Adds a value. Leaves out and counts what would make the text invalid: a second value with the
     * same name and labels, a name with two types, a malformed label name.
     */
    void add(Metric metric) {
        List<Metric> family = families.computeIfAbsent(metric.family(), name -> new ArrayList<>());
        boolean fits =
                metric.labels().keySet().stream().allMatch(PrometheusText::isLabel)
                        && (family.isEmpty() || family.get(0).type() == metric.type())
                        && samples.add(sample(metric));
        if (fits) {
            family.add(metric);
        } else {
            dropped++;
            contradicted.add(metric.name());
        }
    }

    private static boolean isLabel(String name) {
        return LABEL.matcher(name).matches() && !name.startsWith("__");
    }

    /** Returns how many values were left out. */
    int dropped() {
        return dropped;
    }

    /** Returns the names of which a value was left out. */
    Set<String> contradicted() {
        return contradicted;
    }

    /** Returns the text. */
    String text() {
        StringBuilder out = new StringBuilder(8_192);
        families.values().stream().filter(f -> !f.isEmpty()).forEach(f -> write(f, out));
        return out.toString();
    }

    private static void write(List<Metric> family, StringBuilder out) {
        Metric first = family.get(0);
        out.append("# HELP ").append(first.family()).append(' ');
        out.append(escape(first.help(), false)).append('\n');
        out.append("# TYPE ").append(first.family()).append(' ').append(type(first)).append('\n');
        for (Metric metric : family) {
            out.append(sample(metric)).append(' ').append(number(metric.value())).append('\n');
        }
    }

    private static String type(Metric metric) {
        return switch (metric.type()) {
            case COUNTER -> "counter";
            case GAUGE -> "gauge";
            case HISTOGRAM -> "histogram";
        };
    }

    private static String sample(Metric metric) {
        if (metric.labels().isEmpty()) {
            return metric.name();
        }
        List<String> labels = new ArrayList<>();
        new TreeMap<>(metric.labels())
                .forEach((name, value) -> labels.add(name + "=\"" + escape(value, true) + "\""));
        return metric.name() + "{" + String.join(",", labels) + "}";
    }

    private static String escape(String text, boolean quoted) {
        String escaped = text.replace("\\", "\\\\").replace("\r", " ").replace("\n", "\\n");
        return quoted ? escaped.replace("\"", "\\\"") : escaped;
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        boolean whole = value == Math.rint(value) && Math.abs(value) < EXACT;
        return whole ? Long.toString((long) value) : Double.toString(value);
    }
}
