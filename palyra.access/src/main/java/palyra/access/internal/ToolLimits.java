package palyra.access.internal;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import palyra.api.core.ops.Finding;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;

/**
 * What tools may be used at all, as configured, before any rule is evaluated. An entry that cannot
 * be understood allows nothing.
 *
 * @param tools names, or beginnings of names that end in {@code *}
 * @param capabilities the most that a tool may declare
 * @param findings one for each bad entry
 */
record ToolLimits(List<String> tools, Set<Capability> capabilities, List<Finding> findings) {
    private static final String ANY = "*";
    private static final String TOOL = "([A-Za-z0-9_-]+\\.)*([A-Za-z0-9_-]+\\*?|\\*)";

    ToolLimits {
        tools = List.copyOf(tools);
        capabilities = Set.copyOf(capabilities);
        findings = List.copyOf(findings);
    }

    /** Returns limits that limit nothing. */
    static ToolLimits none() {
        return new ToolLimits(List.of(ANY), EnumSet.allOf(Capability.class), List.of());
    }

    /** Reads the configuration; null counts as empty, which allows no tool. */
    static ToolLimits of(String[] tools, String[] capabilities) {
        List<Finding> findings = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (String entry : entries(tools)) {
            if (entry.matches(TOOL)) {
                names.add(entry);
            } else {
                findings.add(bad("tools", entry, "Write a name such as palyra.echo, or palyra.*."));
            }
        }
        Set<Capability> known = EnumSet.noneOf(Capability.class);
        for (String entry : entries(capabilities)) {
            try {
                known.add(Capability.valueOf(entry.toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                findings.add(bad("capabilities", entry, "Write one of " + every() + "."));
            }
        }
        return new ToolLimits(names, known, findings);
    }

    /** Returns the names of all capabilities as they are configured. */
    static String every() {
        List<String> names = new ArrayList<>();
        for (Capability capability : Capability.values()) {
            names.add(name(capability));
        }
        return String.join(", ", names);
    }

    private static String name(Capability capability) {
        return capability.name().toLowerCase(Locale.ROOT);
    }

    private static List<String> entries(String[] configured) {
        List<String> entries = new ArrayList<>();
        for (String entry : configured == null ? new String[0] : configured) {
            if (!entry.isBlank()) {
                entries.add(entry.strip());
            }
        }
        return entries;
    }

    private static Finding bad(String key, String entry, String remedy) {
        String shown = entry.length() <= 100 ? entry : entry.substring(0, 100) + "…";
        return new Finding(
                Finding.Severity.ERROR,
                "access",
                "The entry '" + shown + "' of " + key + " of palyra.access allows nothing.",
                remedy);
    }

    /** Returns whether a tool of this name may be used. */
    boolean allow(String tool) {
        return tools.stream()
                .anyMatch(
                        entry ->
                                entry.endsWith(ANY)
                                        ? tool.startsWith(
                                                entry.substring(0, entry.length() - ANY.length()))
                                        : tool.equals(entry));
    }

    /** Returns what a tool declares beyond what may be used, in lower case. */
    SortedSet<String> excess(ToolDescriptor tool) {
        SortedSet<String> beyond = new TreeSet<>();
        for (Capability capability : tool.capabilities()) {
            if (!capabilities.contains(capability)) {
                beyond.add(name(capability));
            }
        }
        return beyond;
    }
}
