package palyra.skills.internal.run;

import java.util.List;
import palyra.skills.internal.model.SkillTool;

/** The exports that a call of a tool calls, and the type of its entrypoint. */
public final class Entrypoints {
    /** Entrypoint of a WASI command. */
    public static final String COMMAND = "_start";

    /** Export that a WASI reactor needs to be called first. */
    public static final String INITIALIZE = "_initialize";

    private Entrypoints() {}

    /** Returns whether a tool is a WASI command, whose entrypoint returns nothing. */
    public static boolean command(SkillTool tool) {
        return tool.entrypoint().equals(COMMAND);
    }

    /** Returns the functions to call in order. */
    static List<String> of(SkillTool tool, boolean initialize) {
        return initialize && !command(tool)
                ? List.of(INITIALIZE, tool.entrypoint())
                : List.of(tool.entrypoint());
    }
}
