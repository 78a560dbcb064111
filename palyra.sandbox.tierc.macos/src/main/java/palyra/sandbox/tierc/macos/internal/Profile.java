package palyra.sandbox.tierc.macos.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxSpec;

/**
 * A profile for one command: a text, and the parameters that it names. Later rules win over earlier
 * ones, so the order is: base, reading, further folders, the gateway's state (denied), workspace,
 * network, protected paths (denied), forbidden ports (denied).
 *
 * <p>No path is ever part of the text: a workspace whose name holds parentheses and quotes stays a
 * parameter. Verified by an evaluator, not run on hardware.
 *
 * @param text the profile
 * @param parameters values of its parameters, in order
 */
record Profile(String text, Map<String, String> parameters) {
    /** Copies. */
    Profile {
        parameters =
                java.util.Collections.unmodifiableMap(
                        new LinkedHashMap<String, String>(parameters));
    }

    /**
     * Makes the profile of a command.
     *
     * @param scratch real path of its own temporary folder
     * @param state real path of the gateway's state; absent without a state folder to protect
     * @param proxyPort port of its bridge to the egress proxy; absent without one
     */
    static Profile of(
            SandboxSpec spec,
            Reading reading,
            String scratch,
            Optional<String> state,
            OptionalInt proxyPort) {
        Builder builder = new Builder();
        builder.parameter("PROGRAM", spec.argv().get(0));
        builder.parameter("WS", spec.workspace());
        builder.parameter("TMP", scratch);
        builder.part("base").part(reading.text());
        builder.further(spec.readOnlyPaths());
        state.ifPresent(builder::state);
        builder.part("workspace");
        if (proxyPort.isPresent()) {
            builder.parameter("PROXY", "localhost:" + proxyPort.getAsInt()).part("network-proxy");
        } else if (spec.egress() != Egress.STRICT) {
            builder.part("network-open");
        }
        builder.protect(ProtectedRules.of(spec));
        if (proxyPort.isEmpty()) {
            builder.forbid(spec);
        }
        return builder.build();
    }

    /** Returns the arguments before the command: program, profile, parameters, {@code --}. */
    List<String> arguments(String sandboxExec) {
        List<String> arguments = new ArrayList<>(List.of(sandboxExec, "-p", text));
        parameters.forEach((name, value) -> arguments.add("-D" + name + "=" + value));
        arguments.add("--");
        return arguments;
    }

    private static final class Builder {
        private final StringBuilder text = new StringBuilder();
        private final Map<String, String> parameters = new LinkedHashMap<>();

        Builder parameter(String name, String value) {
            parameters.put(name, value);
            return this;
        }

        Builder part(String name) {
            text.append(ProfileParts.part(name));
            return this;
        }

        void further(List<String> paths) {
            for (int i = 0; i < paths.size(); i++) {
                parameter("RO" + i, paths.get(i));
                rule("(allow file-read-metadata (path-ancestors (param \"RO" + i + "\")))");
                rule(
                        "(allow file-read* file-map-executable process-exec* (subpath (param \"RO"
                                + i
                                + "\")))");
            }
        }

        void state(String path) {
            parameter("STATE", path);
            rule(
                    "(deny file-read* file-write* file-map-executable process-exec* (subpath (param \"STATE\")))");
        }

        void protect(ProtectedRules rules) {
            parameters.putAll(rules.parameters());
            rules.rules().forEach(this::rule);
        }

        void forbid(SandboxSpec spec) {
            int number = 0;
            for (int port : new TreeSet<>(spec.forbiddenPorts())) {
                // the second one because this host has other addresses than its loopback ones
                parameter("PORT" + number, "localhost:" + port);
                parameter("ANYPORT" + number, "*:" + port);
                rule(
                        "(deny network-outbound (remote ip (param \"PORT"
                                + number
                                + "\")) (remote ip (param \"ANYPORT"
                                + number
                                + "\")))");
                number++;
            }
        }

        private void rule(String rule) {
            text.append(rule).append('\n');
        }

        Profile build() {
            return new Profile(text.toString(), parameters);
        }
    }
}
