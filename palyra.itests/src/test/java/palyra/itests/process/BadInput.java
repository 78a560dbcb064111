package palyra.itests.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** A command line that must be refused. {@code last} names the one run that there is. */
record BadInput(int exit, List<String> argv) {
    private BadInput(int exit, String... argv) {
        this(exit, List.of(argv));
    }

    private static final String NOBODYS = "01M80N9YW6MMFJ2CHK42J0WEWK";

    /** Commands that can be given nothing worse than an unknown option. */
    static final Set<String> WITHOUT_FURTHER_INPUT =
            Set.of(
                    "access keys",
                    "access tokens",
                    "access whoami",
                    "agents bindings",
                    "agents list",
                    "bundles",
                    "completion",
                    "config list",
                    "doctor",
                    "policy status",
                    "status",
                    "stop");

    /** Commands that take any number of words. */
    static final Set<String> TAKE_WORDS = Set.of("ask", "completion", "help", "sandbox run");

    /** Returns which of the known commands it is about. */
    String command(Set<String> known) {
        String two = argv.size() > 1 ? argv.get(0) + " " + argv.get(1) : argv.get(0);
        return known.contains(two) ? two : argv.get(0);
    }

    static BadInput usage(String... argv) {
        return new BadInput(64, argv);
    }

    private static BadInput missing(String... argv) {
        return new BadInput(66, argv);
    }

    /** Beyond the unknown option and the surplus argument that every command is given. */
    static List<BadInput> table(Path jar) {
        return List.of(
                usage("access", "key-rotate"),
                usage("access", "key-rotate", "nonsense"),
                usage("access", "token-create"),
                usage("access", "token-create", "x", "--group", "kings"),
                usage("access", "token-create", "x", "--group", "viewer", "--ttl", "never"),
                usage("access", "token-create", "x", "--group", "viewer", "--scope", "NOT OK"),
                usage("access", "token-create", "x", "--group", "viewer", "--principal", "no body"),
                usage("access", "token-revoke"),
                usage("access", "token-revoke", "x"),
                missing("access", "token-revoke", NOBODYS),
                usage("agents", "bind"),
                usage("agents", "bind", "user:a"),
                missing("agents", "bind", "user:a", "nobody"),
                usage("agents", "bind", "no body", "default"),
                usage("agents", "bind", "user:a/b", "default"),
                usage("agents", "create"),
                usage("agents", "create", "Bad Id"),
                usage("agents", "create", "a".repeat(65)),
                usage("agents", "create", "a", "--test", "maybe"),
                usage("agents", "create", "a", "--tool", "No Tool!"),
                usage("agents", "create", "a", "--provider", "x y"),
                usage("agents", "create", "a", "--prompt", "x".repeat(65_537)),
                new BadInput(1, "agents", "create", "default"),
                usage("agents", "default"),
                missing("agents", "default", "nobody"),
                usage("agents", "delete"),
                missing("agents", "delete", "nobody"),
                new BadInput(1, "agents", "delete", "default"),
                usage("agents", "resolve"),
                usage("agents", "resolve", "no body"),
                usage("agents", "resolve", "user:a", "--session", "x"),
                usage("agents", "show"),
                missing("agents", "show", "nobody"),
                usage("agents", "unbind"),
                missing("agents", "unbind", "user:nobody"),
                usage("agents", "update"),
                missing("agents", "update", "nobody", "--name", "x"),
                usage("agents", "update", "default", "--test", "maybe"),
                usage("ask"),
                usage("ask", ""),
                usage("ask", "x".repeat(262_145)),
                usage("ask", "--wait", "soon", "hi"),
                usage("ask", "--dedupe", " ", "hi"),
                usage("ask", "--dedupe", "k".repeat(257), "hi"),
                missing("ask", "--agent", "nobody", "hi"),
                missing("ask", "--session", NOBODYS, "hi"),
                usage("config", "check"),
                usage("config", "check", "nonsense.txt"),
                missing("config", "check", "nonsense.json"),
                usage("config", "show"),
                missing("config", "show", "nonsense"),
                usage("deploy", "list", "x"),
                usage("deploy", "pin"),
                usage("deploy", "pins", "x"),
                usage("deploy", "status"),
                usage("deploy", "unpin"),
                usage("event", "append"),
                usage("event", "append", "last"),
                usage("event", "append", "last", "{bad"),
                usage("event", "append", "last", "{\"a\":1,\"a\":2}"),
                usage("event", "append", "last", "{}", "--kind", "NOT OK"),
                usage("event", "append", "last", "{}", "--id", "x"),
                usage("event", "append", "x", "{}"),
                missing("event", "append", NOBODYS, "{}"),
                usage("gogo"),
                new BadInput(1, "gogo", "nonsense"),
                usage("help", "nonsense"),
                usage("logs", "--lines", "x"),
                usage("logs", "--lines", "0"),
                usage("policy", "apply"),
                missing("policy", "apply", "/nonexistent"),
                usage("policy", "apply", "/", "--confirm", "x"),
                usage("policy", "diff", "x"),
                missing("policy", "diff", "0".repeat(64)),
                usage("policy", "explain"),
                usage("policy", "explain", "--principal", "no body", "--action", "run.start"),
                usage("policy", "explain", "--principal", "user:a", "--action", "NOT OK"),
                missing("policy", "explain", "--evidence", "/nonexistent"),
                usage("policy", "format"),
                missing("policy", "format", "/nonexistent.cedar"),
                usage("policy", "history", "--limit", "0"),
                missing("policy", "lint", "/nonexistent.cedar"),
                usage("policy", "lint", jar.toString()),
                usage("policy", "list", "--set", "x"),
                missing("policy", "list", "--set", "0".repeat(64)),
                usage("policy", "plan", "--since", "soon"),
                usage("policy", "plan", "--limit", "0"),
                missing("policy", "plan", "/nonexistent"),
                usage("policy", "reload", "--confirm", "x"),
                usage("policy", "rollback"),
                usage("policy", "rollback", "x"),
                missing("policy", "rollback", "0".repeat(64)),
                missing("policy", "test", "/nonexistent"),
                missing("policy", "validate", "/nonexistent"),
                usage("policy", "validate", jar.toString()),
                usage("policy", "why"),
                usage("policy", "why", "x"),
                missing("policy", "why", NOBODYS + ".1.0"),
                usage("run", "cancel"),
                usage("run", "cancel", "x"),
                missing("run", "cancel", NOBODYS),
                usage("run", "follow"),
                usage("run", "follow", "x"),
                missing("run", "follow", NOBODYS),
                usage("run", "follow", "last", "--after", "-1"),
                usage("run", "show"),
                usage("run", "show", "x"),
                missing("run", "show", NOBODYS),
                usage("runs", "--limit", "0"),
                usage("runs", "--limit", "501"),
                usage("runs", "--session", "x"),
                usage("runs", "--before", "x"),
                usage("sandbox", "run"),
                usage("sandbox", "run", "--tier", "x", "--", "true"),
                usage("sandbox", "run", "--egress", "some", "--", "true"),
                usage("sandbox", "run", "--limits", "wall=x", "--", "true"),
                missing("sandbox", "run", "--", "no-such-program"),
                usage("sandbox", "list", "x"),
                usage("sandbox", "explain", "--tier", "x"),
                usage("sandbox", "canary", "--tier", "x"),
                usage("sessions", "archive"),
                usage("sessions", "archive", "x"),
                missing("sessions", "archive", NOBODYS),
                usage("sessions", "list", "--limit", "x"),
                usage("sessions", "list", "--before", "x"),
                usage("sessions", "show"),
                usage("sessions", "show", "x"),
                missing("sessions", "show", NOBODYS),
                usage("swap"),
                usage("swap", "palyra.models"),
                missing("swap", "palyra.nonsense", jar.toString()),
                missing("swap", "palyra.models", "/nonexistent.jar"),
                usage("swap", "palyra.models", jar.toString()),
                usage("swap", "palyra.models", jar.toString(), "--timeout", "0"),
                usage("swap", "status", "x"),
                missing("swap", "status", NOBODYS),
                usage("tape", "export"),
                usage("tape", "export", "x"),
                missing("tape", "export", NOBODYS),
                usage("tape", "export", "last", "--output", "/nonexistent/file"),
                usage("tape", "show"),
                usage("tape", "show", "x"),
                missing("tape", "show", NOBODYS),
                usage("tape", "show", "last", "--from", "0"),
                usage("tape", "tail", "x"),
                missing("tape", "tail", NOBODYS),
                usage("tape", "tail", "--lines", "-1"),
                usage("tape", "verify", "x"),
                missing("tape", "verify", NOBODYS),
                missing("tape", "verify", "--file", "/nonexistent"),
                usage("tape", "verify", "last", "--all"),
                usage("tape", "verify", "--from", "1"),
                usage("tape", "verify", "last", "--from", "9", "--to", "2"),
                usage("nonsense"),
                usage("agents", "nonsense"),
                usage("--nonsense"));
    }
}
