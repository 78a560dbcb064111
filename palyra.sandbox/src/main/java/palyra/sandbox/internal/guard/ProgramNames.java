package palyra.sandbox.internal.guard;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.sandbox.internal.guard.GuardRule.Column;

/**
 * Classes of programs by name. A name counts with and without what distributions add to it: a
 * target triplet before it, a version, a flavour such as {@code -static} or {@code .basic} after
 * it.
 */
final class ProgramNames {
    private static final Pattern PLAIN = Pattern.compile("[a-z]{1,20}");

    private static final Pattern TRIPLET =
            Pattern.compile("^[a-z0-9_]+-(?:[a-z0-9]+-)?linux-(?:gnu|musl|uclibc)[a-z0-9_]*-");

    private static final Pattern LOADER =
            Pattern.compile(
                    "ld(?:64|-linux|-musl|-uclibc|-kfreebsd)?[-.a-z0-9_]*\\.so(?:\\.[0-9.]+)?");

    private static final Pattern DRESSED =
            Pattern.compile(
                    "(?<bare>[a-z+_]+(?:-[a-z]+)*?)[-_.]?[0-9]*(?:[.][0-9]+)*[a-z]{0,2}"
                            + "(?:[-_.](?:static|dbg|debug|dev|lts|stable|minimal|bin|real|orig"
                            + "|distrib|basic|tiny|nox|gtk3?|athena|huge|full|cli|c|nojit|jit|exe"
                            + "|[a-z0-9]+_?[0-9]*-linux-[a-z0-9]+|x86_64|aarch64|amd64|arm64))*");

    private static final Pattern FLAVOUR =
            Pattern.compile("(?<bare>.+?)[-_.](?:static|dbg|debug|bin|real|orig|distrib|exe)");

    private ProgramNames() {}

    /** Returns the strictest class that any reading of a file name has. */
    static ProgramKind kindOf(String fileName) {
        return readings(fileName).stream()
                .map(ProgramNames::kind)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static ProgramKind kind(String name) {
        return LOADER.matcher(name).matches()
                ? ProgramKind.INTERPRETER
                : GuardRule.word(Set.of(name), Column.CLASS)
                        .map(ProgramKind::of)
                        .orElse(ProgramKind.PLAIN);
    }

    /** Returns a file name as it is and without what distributions add, in lower case. */
    static Set<String> readings(String fileName) {
        Set<String> readings = new LinkedHashSet<>();
        String name = fileName.toLowerCase(Locale.ROOT);
        readings.add(name);
        if (PLAIN.matcher(name).matches()) {
            return readings; // nothing was added to it; most names of a host are such
        }
        readings.add(TRIPLET.matcher(name).replaceFirst(""));
        for (String each : Set.copyOf(readings)) {
            if (each.length() <= 64) { // no program is called that; keeps matching short
                addBare(DRESSED.matcher(each), readings);
                addBare(FLAVOUR.matcher(each), readings);
            }
        }
        return readings;
    }

    private static void addBare(Matcher matcher, Set<String> readings) {
        if (matcher.matches()) {
            readings.add(matcher.group("bare"));
        }
    }
}
