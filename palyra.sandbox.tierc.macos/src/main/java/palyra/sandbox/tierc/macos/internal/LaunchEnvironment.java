package palyra.sandbox.tierc.macos.internal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * The environment of a command. A shell and {@code sandbox-exec} run in it before the profile is in
 * force, so what would make the dynamic linker or a shell run code is refused: libraries to insert
 * (dyld(1)), start-up files and exported functions (bash(1)).
 */
final class LaunchEnvironment {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,255}");
    private static final Set<String> REFUSED =
            Set.of(
                    "BASH_ENV",
                    "ENV",
                    "IFS",
                    "SHELLOPTS",
                    "BASHOPTS",
                    "PS4",
                    "CDPATH",
                    "GLOBIGNORE");
    private static final List<String> REFUSED_PREFIXES =
            List.of("DYLD_", "LD_", "BASH_FUNC", "__BASH_FUNC", "__XPC_", "MallocStackLogging");

    private LaunchEnvironment() {}

    /** Throws DENIED or INVALID_ARGUMENT, naming the variable and never its value. */
    static void check(Map<String, String> environment) {
        environment.forEach(
                (name, value) -> {
                    if (!NAME.matcher(name).matches() || value.indexOf('\0') >= 0) {
                        throw new PalyraException(
                                ErrorCode.INVALID_ARGUMENT,
                                "The variable '"
                                        + name
                                        + "' cannot be set for a command; use letters, digits and"
                                        + " '_' in names.");
                    }
                    if (REFUSED.contains(name)
                            || REFUSED_PREFIXES.stream().anyMatch(name::startsWith)
                            || value.startsWith("() {")) {
                        throw new PalyraException(
                                ErrorCode.DENIED,
                                "The variable "
                                        + name
                                        + " would run code before the sandbox is in force; leave it"
                                        + " out.");
                    }
                });
    }

    /**
     * Returns the whole environment; what the sandbox sets wins.
     *
     * @param scratch the command's own temporary folder, its home as well
     * @param proxyUrl URL of its bridge to the egress proxy, with its secret; absent without one
     */
    static Map<String, String> of(
            Map<String, String> given, String scratch, Optional<String> proxyUrl) {
        Map<String, String> environment = new TreeMap<>(given);
        environment.put("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        environment.put("HOME", scratch);
        environment.put("TMPDIR", scratch);
        environment.put("LANG", "en_US.UTF-8");
        proxyUrl.ifPresent(
                url -> {
                    for (String name : List.of("http_proxy", "https_proxy", "all_proxy")) {
                        environment.put(name, url);
                        environment.put(name.toUpperCase(java.util.Locale.ROOT), url);
                    }
                    environment.put("no_proxy", "");
                    environment.put("NO_PROXY", "");
                });
        return environment;
    }
}
