package palyra.shell.internal.felix;

import java.util.List;
import java.util.Set;

/**
 * A command of Felix that is offered.
 *
 * @param name name in this shell, such as {@code bundle start}
 * @param function name in Gogo, such as {@code felix:start}
 * @param action action that policy decides before it runs; each verb has its own
 * @param mutating whether it changes anything; such a command is recorded before it runs
 * @param summary one line for the list of commands
 * @param arguments what it takes, as Felix has it, for the help; empty when it takes nothing
 * @param required whether it must be given one
 * @param options options that it takes, such as {@code -s}
 */
record FelixVerb(
        String name,
        String function,
        String action,
        boolean mutating,
        String summary,
        String arguments,
        boolean required,
        Set<String> options) {
    /** All offered verbs. */
    static final List<FelixVerb> ALL =
            List.of(
                    reads(
                            "lb",
                            "felix:lb",
                            "bundle.list",
                            "Lists bundles as Felix does.",
                            "[-l | -s | -u] [TEXT]: locations, symbolic names, where updates come"
                                    + " from; those whose name holds TEXT",
                            "-l",
                            "-s",
                            "-u"),
                    reads(
                            "bundle headers",
                            "felix:headers",
                            "bundle.headers",
                            "Shows the manifest of bundles.",
                            "BUNDLE…"),
                    reads(
                            "bundle inspect",
                            "felix:inspect",
                            "bundle.inspect",
                            "Shows what bundles need and provide.",
                            "(capability | requirement) NAMESPACE BUNDLE…; NAMESPACE may have *"),
                    reads(
                            "bundle which",
                            "felix:which",
                            "bundle.which",
                            "Says from where a bundle loads a class.",
                            "BUNDLE CLASS"),
                    changes(
                            "bundle install",
                            "felix:install",
                            "bundle.install",
                            "Installs bundles; they are not started.",
                            "URL…, such as file:/path/to/a.jar"),
                    changes(
                            "bundle start",
                            "felix:start",
                            "bundle.start",
                            "Starts bundles.",
                            "[-t] BUNDLE…; -t until the next start of the gateway",
                            "-t"),
                    changes(
                            "bundle stop",
                            "felix:stop",
                            "bundle.stop",
                            "Stops bundles.",
                            "[-t] BUNDLE…; -t until the next start of the gateway",
                            "-t"),
                    changes(
                            "bundle update",
                            "felix:update",
                            "bundle.update",
                            "Updates a bundle; palyra swap does it with a check and a way back.",
                            "BUNDLE [URL]"),
                    changes(
                            "bundle uninstall",
                            "felix:uninstall",
                            "bundle.uninstall",
                            "Uninstalls bundles.",
                            "BUNDLE…"),
                    changes(
                            "bundle refresh",
                            "felix:refresh",
                            "bundle.refresh",
                            "Wires bundles again; bundles that use them are restarted.",
                            "[BUNDLE…]; without one all that need it"),
                    changes(
                            "bundle resolve",
                            "felix:resolve",
                            "bundle.resolve",
                            "Resolves bundles.",
                            "[BUNDLE…]; without one all"),
                    changes(
                            "bundle level",
                            "felix:bundlelevel",
                            "bundle.level",
                            "Shows or sets the start level of bundles.",
                            "BUNDLE, or -s LEVEL BUNDLE…",
                            "-s",
                            "-i"),
                    reads(
                            "scr list",
                            "scr:list",
                            "component.list",
                            "Lists components of declarative services.",
                            "[BUNDLE]"),
                    reads(
                            "scr info",
                            "scr:info",
                            "component.info",
                            "Shows a component: state, references, configurations.",
                            "NAME or id"),
                    reads(
                            "scr config",
                            "scr:config",
                            "component.config",
                            "Shows how the component runtime is set up.",
                            ""),
                    changes(
                            "scr enable",
                            "scr:enable",
                            "component.enable",
                            "Enables a component.",
                            "NAME"),
                    changes(
                            "scr disable",
                            "scr:disable",
                            "component.disable",
                            "Disables a component.",
                            "NAME"));

    /**
     * Returns whether what the function returned means that it did what was asked. Felix returns
     * what went wrong as a text, and where that is so, nothing or the new ids otherwise.
     */
    boolean succeeded(Object result) {
        if (result instanceof Boolean answer) {
            return answer;
        }
        String text = result == null ? "" : result.toString().strip();
        return switch (function) {
            case "felix:install" -> text.startsWith("Bundle ID");
            case "felix:start",
                    "felix:stop",
                    "felix:update",
                    "felix:uninstall",
                    "felix:refresh",
                    "felix:resolve" ->
                    text.isEmpty();
            default -> true;
        };
    }

    private static FelixVerb reads(
            String name,
            String function,
            String action,
            String summary,
            String arguments,
            String... options) {
        return of(name, function, action, false, summary, arguments, options);
    }

    private static FelixVerb changes(
            String name,
            String function,
            String action,
            String summary,
            String arguments,
            String... options) {
        return of(name, function, action, true, summary, arguments, options);
    }

    private static FelixVerb of(
            String name,
            String function,
            String action,
            boolean mutating,
            String summary,
            String arguments,
            String... options) {
        String first = arguments.replaceFirst("^\\[-[^\\]]*\\] ", "");
        boolean required = !first.isEmpty() && !first.startsWith("[");
        return new FelixVerb(
                name, function, action, mutating, summary, arguments, required, Set.of(options));
    }
}
