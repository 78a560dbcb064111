package palyra.policy.internal.decide;

import java.util.Collection;
import palyra.api.tool.Capability;
import palyra.policy.internal.cedar.Policy;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.SetValue;
import palyra.policy.internal.cedar.value.StringValue;

/**
 * Whether permits allow an interpreter, a program that runs any code it gets: a shell, a scripting
 * language, a program that starts other programs. One of the permits that hold has to say so, and
 * none may say the opposite. The configuration of the sandboxes is the outer bound: what it refuses
 * is never asked about. A program that is not known may be such a program: it needs the same
 * annotation, or an approval. Stateless.
 */
final class InterpreterAnnotations {
    static final String ALLOW = "allow_interpreters";
    private static final String FACTS = "facts";
    private static final String FLAGS = "flags";

    /** Executors mark such programs by this flag; no option of a program begins like it. */
    private static final StringValue MARK = new StringValue("!interpreter");

    /** Tools of which every call is such a program have this capability. */
    private static final StringValue RUNS_CODE =
            new StringValue(EntityAttributes.word(Capability.CODE_EXEC));

    /** Nothing is known about such a command, so it may start any program. */
    private static final StringValue UNKNOWN = new StringValue("!unknown");

    private InterpreterAnnotations() {}

    /**
     * Whether a policy request is about such a program and the permits do not let it be started.
     */
    static boolean refused(PolicyRequest request, Collection<Policy> permits) {
        return (marked(request, MARK) || runsCode(request)) && !allowed(permits);
    }

    /** Whether the program is not known, and neither a permit nor an approval allows it. */
    static boolean needsPerson(PolicyRequest request, Collection<Policy> permits) {
        return marked(request, UNKNOWN) && !request.approved() && !allowed(permits);
    }

    private static boolean runsCode(PolicyRequest request) {
        return request.isToolCall()
                && request.slice().stream()
                        .filter(entity -> entity.uid().equals(request.resource()))
                        .map(tool -> tool.attributes().get(EntityAttributes.CAPABILITIES))
                        .anyMatch(
                                value -> value instanceof SetValue all && all.contains(RUNS_CODE));
    }

    private static boolean marked(PolicyRequest request, StringValue mark) {
        return request.isToolCall()
                && request.context().get(FACTS) instanceof RecordValue facts
                && facts.get(FLAGS) instanceof SetValue flags
                && flags.contains(mark);
    }

    /** Throws IllegalArgumentException when an annotation cannot be read. */
    private static boolean allowed(Collection<Policy> permits) {
        boolean some = false;
        boolean all = true;
        for (Policy permit : permits) {
            String said = permit.annotations().get(ALLOW);
            if (said != null) {
                boolean yes = read(said);
                some |= yes;
                all &= yes;
            }
        }
        return some && all;
    }

    /** Reads one annotation; throws IllegalArgumentException with a sentence. */
    static void check(String name, String value) {
        if (name.equals(ALLOW)) {
            read(value);
        }
    }

    private static boolean read(String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new IllegalArgumentException(
                            "The annotation @"
                                    + ALLOW
                                    + "(\""
                                    + value
                                    + "\") cannot be read; use \"true\" or \"false\".");
        };
    }
}
