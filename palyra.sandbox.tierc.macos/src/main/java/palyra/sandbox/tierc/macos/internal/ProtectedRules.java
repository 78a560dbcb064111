package palyra.sandbox.tierc.macos.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.core.sandbox.SandboxSpec;

/**
 * Rules that keep protected paths of a workspace as they are. Each one may not be written, created
 * or removed; the folders above it, up to the workspace, may not be renamed away, nor made when
 * they are missing: a folder prepared elsewhere could be renamed to their name.
 *
 * <p>Each path is named three times: as given, where links lead to it, and, since the file systems
 * of macOS mostly take {@code .GIT} for {@code .git}, by an expression that disregards case. That
 * expression holds letters, digits, {@code . _ - /} and a class for anything else, so no path can
 * write rules of its own.
 *
 * @param rules rules in SBPL
 * @param parameters values of their parameters
 */
record ProtectedRules(List<String> rules, Map<String, String> parameters) {
    /** Copies. */
    ProtectedRules {
        rules = List.copyOf(rules);
        parameters =
                java.util.Collections.unmodifiableMap(
                        new LinkedHashMap<String, String>(parameters));
    }

    /** Returns the rules of a command; its protected paths were checked by {@link SpecCheck}. */
    static ProtectedRules of(SandboxSpec spec) {
        List<String> rules = new ArrayList<>();
        Map<String, String> parameters = new LinkedHashMap<>();
        Path workspace = Path.of(spec.workspace());
        Set<Path> paths = new LinkedHashSet<>();
        Set<Path> above = new LinkedHashSet<>();
        Set<String> anyCase = new LinkedHashSet<>();
        Set<String> aboveAnyCase = new LinkedHashSet<>();
        for (String relative : spec.protectedPaths()) {
            Path path = workspace.resolve(relative);
            for (Path each : List.of(path, followed(path))) {
                if (each.startsWith(workspace) && !each.equals(workspace)) {
                    paths.add(each);
                    above.addAll(between(workspace, each));
                }
            }
            anyCase.add(anyCase(workspace.relativize(path)));
            between(workspace, path)
                    .forEach(each -> aboveAnyCase.add(anyCase(workspace.relativize(each))));
        }
        number(paths, "KEEP", "file-write*", "subpath", rules, parameters);
        number(above, "ABOVE", "file-write-create file-write-unlink", "literal", rules, parameters);
        anyCase.forEach(each -> rules.add(matching("file-write*", each, "(/|$)")));
        aboveAnyCase.forEach(
                each -> rules.add(matching("file-write-create file-write-unlink", each, "$")));
        return new ProtectedRules(rules, parameters);
    }

    private static void number(
            Set<Path> paths,
            String prefix,
            String operations,
            String filter,
            List<String> rules,
            Map<String, String> parameters) {
        int number = 0;
        for (Path path : paths) {
            String name = prefix + number++;
            parameters.put(name, path.toString());
            rules.add("(deny " + operations + " (" + filter + " (param \"" + name + "\")))");
        }
    }

    private static String matching(String operations, String expression, String end) {
        return "(deny "
                + operations
                + " (regex (string-append \"^\" (regex-quote (param \"WS\")) \"/"
                + expression
                + end
                + "\")))";
    }

    private static List<Path> between(Path workspace, Path path) {
        List<Path> folders = new ArrayList<>();
        for (Path each = path.getParent();
                each != null && each.startsWith(workspace) && !each.equals(workspace);
                each = each.getParent()) {
            folders.add(each);
        }
        return folders;
    }

    /** Returns where a path leads: the real path of what exists of it, and the rest. */
    private static Path followed(Path path) {
        Path existing = path;
        while (existing.getParent() != null) {
            try {
                return existing.toRealPath().resolve(existing.relativize(path)).normalize();
            } catch (IOException e) {
                existing = existing.getParent(); // try the folder above
            }
        }
        return path;
    }

    /**
     * Returns a POSIX extended expression without any character that SBPL or it gives a meaning.
     */
    static String anyCase(Path relative) {
        StringBuilder expression = new StringBuilder();
        String text = relative.toString();
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z') {
                expression
                        .append('[')
                        .append(Character.toLowerCase(character))
                        .append(Character.toUpperCase(character))
                        .append(']');
            } else if (character >= '0' && character <= '9' || character == '/') {
                expression.append(character);
            } else if (character == '.' || character == '_' || character == '-') {
                expression.append('[').append(character).append(']');
            } else {
                expression.append("[^/]+"); // any letter of any script, in any encoding
            }
        }
        return expression.toString();
    }
}
