package palyra.sandbox.tierc.macos.internal.sbpl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import palyra.sandbox.tierc.macos.internal.sbpl.Node.Form;
import palyra.sandbox.tierc.macos.internal.sbpl.Node.Symbol;
import palyra.sandbox.tierc.macos.internal.sbpl.Node.Text;

/**
 * Decides what a profile allows: the last rule that matches wins. A model of sandbox-exec from
 * public sources, strict where they are silent: names that it does not know are errors.
 */
public final class Evaluator {
    private final Map<String, String> parameters;
    private final List<Form> rules = new ArrayList<>();
    private final Set<String> used = new TreeSet<>();

    /** Reads a profile. */
    public Evaluator(String profile, Map<String, String> parameters) {
        this.parameters = parameters;
        for (Node node : Node.parse(profile)) {
            Form form = (Form) node;
            switch (form.head()) {
                case "version" -> require(rules.isEmpty(), "the version comes first");
                case "allow", "deny" -> rules.add(checked(form));
                default -> throw new IllegalArgumentException("unknown form " + form.head());
            }
        }
        require(
                !rules.isEmpty() && rules.get(0).equals(Node.parse("(deny default)").get(0)),
                "a profile begins with (deny default)");
    }

    private Form checked(Form rule) {
        for (Node part : rule.rest()) {
            if (part instanceof Symbol operation) {
                require(
                        Names.OPERATIONS.contains(operation.name()),
                        "unknown operation " + operation.name());
            } else {
                filter((Form) part, Query.plain("none")); // finds unknown names and parameters
            }
        }
        return rule;
    }

    /** Returns the number of rules. */
    public int size() {
        return rules.size();
    }

    /** Returns the parameters that the profile names. */
    public Set<String> used() {
        return Set.copyOf(used);
    }

    /** Returns whether something is allowed. */
    public boolean allows(Query query) {
        require(
                Names.OPERATIONS.contains(query.operation()),
                "unknown operation " + query.operation());
        boolean allowed = false;
        for (Form rule : rules) {
            if (matches(rule, query)) {
                allowed = rule.head().equals("allow");
            }
        }
        return allowed;
    }

    private boolean matches(Form rule, Query query) {
        boolean operation = false;
        boolean filters = false;
        boolean any = false;
        for (Node part : rule.rest()) {
            if (part instanceof Symbol symbol) {
                operation |= covers(symbol.name(), query.operation());
            } else {
                filters = true;
                any |= filter((Form) part, query);
            }
        }
        return operation && (!filters || any);
    }

    private static boolean covers(String rule, String asked) {
        return rule.equals("default")
                || rule.equals(asked)
                || rule.endsWith("*") && asked.startsWith(rule.substring(0, rule.length() - 1));
    }

    private boolean filter(Form form, Query query) {
        require(Names.FILTERS.contains(form.head()), "unknown filter " + form.head());
        return switch (form.head()) {
            case "require-all" -> inner(form).stream().allMatch(each -> filter(each, query));
            case "require-any" -> inner(form).stream().anyMatch(each -> filter(each, query));
            case "require-not" -> !filter(inner(form).get(0), query);
            case "vnode-type" -> named(form, Names.VNODES, query.facts().get("vnode"));
            case "target" -> named(form, Names.TARGETS, query.facts().get("target"));
            case "remote" -> address(form, query.facts().get("remote"));
            case "local" -> address(form, query.facts().get("local"));
            default -> anyString(form, query);
        };
    }

    private static List<Form> inner(Form form) {
        return form.rest().stream().map(Form.class::cast).toList();
    }

    private static boolean named(Form form, Set<String> known, String asked) {
        boolean found = false;
        for (Node each : form.rest()) {
            String name = ((Symbol) each).name();
            require(known.contains(name), "unknown name " + name);
            found |= name.equals(asked);
        }
        return found;
    }

    private boolean address(Form form, String asked) {
        String kind = ((Symbol) form.parts().get(1)).name();
        require(Set.of("ip", "tcp", "udp").contains(kind), "unknown kind of address " + kind);
        String pattern = string(form.parts().get(2));
        require(
                pattern.matches("(\\*|localhost):(\\*|[0-9]{1,5})"),
                "sandbox-exec takes '*' and 'localhost' only, not " + pattern);
        if (asked == null) {
            return false;
        }
        String[] wanted = pattern.split(":");
        int colon = asked.lastIndexOf(':');
        return (wanted[0].equals("*") || wanted[0].equals(asked.substring(0, colon)))
                && (wanted[1].equals("*") || wanted[1].equals(asked.substring(colon + 1)));
    }

    private boolean anyString(Form form, Query query) {
        boolean found = false;
        for (Node each : form.rest()) {
            String value = string(each);
            String fact =
                    query.facts()
                            .get(
                                    form.head().startsWith("global-name")
                                            ? "global"
                                            : form.head().startsWith("sysctl-name")
                                                    ? "sysctl"
                                                    : "path");
            found |= compare(form.head(), value, fact);
        }
        return found;
    }

    private static boolean compare(String filter, String value, String fact) {
        return switch (filter) {
            case "regex" -> Pattern.compile(value).matcher(fact == null ? "\n" : fact).find();
            case "literal", "global-name", "sysctl-name" -> value.equals(fact);
            case "subpath" -> fact != null && below(value, fact);
            case "path-ancestors" -> fact != null && !fact.equals(value) && below(fact, value);
            case "global-name-prefix", "sysctl-name-prefix" ->
                    fact != null && fact.startsWith(value);
            default -> throw new IllegalArgumentException("unknown filter " + filter);
        };
    }

    private static boolean below(String folder, String path) {
        return path.equals(folder) || path.startsWith(folder.endsWith("/") ? folder : folder + "/");
    }

    private String string(Node node) {
        if (node instanceof Text text) {
            return text.value();
        }
        Form form = (Form) node;
        return switch (form.head()) {
            case "param" -> parameter(((Text) form.parts().get(1)).value());
            case "string-append" ->
                    String.join("", form.rest().stream().map(this::string).toList());
            case "regex-quote" ->
                    string(form.parts().get(1)).replaceAll("[^A-Za-z0-9/_\\n]", "\\\\$0");
            default -> throw new IllegalArgumentException("unknown string " + form.head());
        };
    }

    private String parameter(String name) {
        require(parameters.containsKey(name), "no parameter " + name);
        used.add(name);
        return parameters.get(name);
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalArgumentException(what);
        }
    }
}
