package palyra.shell.internal.commands;

import java.util.List;
import java.util.Locale;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.gateway.AgentView;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.text.Nearest;
import palyra.shell.internal.host.Seams;

/** What the commands about tools share. */
final class Tools {
    private Tools() {}

    static List<ToolDescriptor> onOffer(Seams seams) {
        return seams.agents().call(agents -> agents.tools());
    }

    static List<String> names(List<ToolDescriptor> tools) {
        return tools.stream().map(ToolDescriptor::name).toList();
    }

    /** Returns the tool of that name; NOT_FOUND with the nearest name otherwise. */
    static ToolDescriptor require(Seams seams, String name) {
        List<ToolDescriptor> tools = onOffer(seams);
        return tools.stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        missing("tool", name, names(tools))
                                                + " List them with palyra tools list."));
    }

    /** Returns a sentence that something is not there, with the nearest name that is. */
    static String missing(String kind, String name, List<String> there) {
        String hint = Nearest.hint(name, there, "");
        return "No "
                + kind
                + " '"
                + Words.brief(name, 64)
                + "' is there now"
                + (hint.isEmpty() ? "." : hint);
    }

    /** Returns the agents whose lists have a tool, by id. */
    static List<AgentView> agentsWith(Seams seams, String tool) {
        return seams.agents().call(agents -> agents.agents()).stream()
                .filter(agent -> agent.tools().contains(tool))
                .toList();
    }

    /** Returns what a tool can reach, in the words of policies. */
    static List<String> capabilities(ToolDescriptor tool) {
        return tool.capabilities().stream()
                .sorted()
                .map(Capability::name)
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
    }
}
