package palyra.api.core.ops;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.Require;

/**
 * One value, in the terms of the Prometheus text format 0.0.4.
 *
 * @param name {@code palyra_…}, with the unit at the end; a counter ends in {@code _total}
 * @param help one line
 * @param type counter, gauge or histogram
 * @param labels label names and values; may be empty
 * @param value the value
 */
public record Metric(
        String name, String help, Type type, Map<String, String> labels, double value) {
    /** What sort of value it is. */
    public enum Type {
        /** Only rises, from 0 at the start of the process. */
        COUNTER,
        /** Goes up and down. */
        GAUGE,
        /**
         * One sample of a histogram: its name ends in {@code _bucket}, with the upper bound in the
         * label {@code le} and bounds rising, in {@code _sum} or in {@code _count}.
         */
        HISTOGRAM
    }

    private static final Pattern SAMPLE = Pattern.compile("(.+)_(bucket|sum|count)");

    /** Checks and copies. */
    public Metric {
        Require.that(
                name != null && name.matches("palyra_[a-z0-9_]+"),
                "metric name '" + name + "' is not usable");
        Require.text(help, "help of metric " + name);
        Require.present(type, "type of metric " + name);
        labels = Map.copyOf(labels);
        Require.that(
                type != Type.HISTOGRAM || SAMPLE.matcher(name).matches(),
                "metric " + name + " is of a histogram: end it in _bucket, _sum or _count");
    }

    /** Returns the name that type and help belong to: of a histogram, without its ending. */
    public String family() {
        Matcher sample = SAMPLE.matcher(name);
        return type == Type.HISTOGRAM && sample.matches() ? sample.group(1) : name;
    }

    /** Returns a counter without labels. */
    public static Metric counter(String name, String help, double value) {
        return new Metric(name, help, Type.COUNTER, Map.of(), value);
    }

    /** Returns a gauge without labels. */
    public static Metric gauge(String name, String help, double value) {
        return new Metric(name, help, Type.GAUGE, Map.of(), value);
    }
}
