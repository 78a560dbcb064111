package palyra.shell.internal.commands;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentView;
import palyra.shared.text.Nearest;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** What the commands about agents share. */
final class Agents {
    static final PositionalSpec AGENT = PositionalSpec.required("AGENT", "Id of an agent");
    static final PositionalSpec PRINCIPAL =
            PositionalSpec.required("PRINCIPAL", "Principal such as user:alice");
    static final OptionSpec CHANNEL =
            OptionSpec.value(
                    "channel", "CHANNEL", "Only for this channel; without it, for every one");

    /** Settings of an agent, as options. */
    static final List<OptionSpec> SETTINGS =
            List.of(
                    OptionSpec.value("name", "TEXT", "What people call it"),
                    OptionSpec.value(
                            "prompt", "TEXT", "Instructions for the model; - reads standard input"),
                    OptionSpec.value("provider", "ID", "Model provider; empty for the default"),
                    OptionSpec.value(
                            "model", "NAME", "Model of the provider; empty for its default"),
                    OptionSpec.value(
                            "model-profile",
                            "NAME",
                            "Model profile, in place of provider and model; empty for none"),
                    OptionSpec.value(
                            "prompt-profile",
                            "NAME",
                            "Prompt profile, in place of its own instructions; empty for none"),
                    OptionSpec.value(
                            "profile",
                            "NAME",
                            "Policy profile: locked, coding, research or an own one; empty for"
                                    + " none, which is locked"),
                    OptionSpec.value(
                            "max-calls",
                            "NUMBER",
                            "Tool calls of one run; 0 for what the gateway is configured with"),
                    new OptionSpec(
                            "tool", "NAME", "A tool it may use; empty for none", List.of(), true),
                    OptionSpec.choice(
                            "test",
                            "BOOLEAN",
                            "Whether its messages may carry scripts for the deterministic model",
                            List.of("true", "false")),
                    OptionSpec.flag(
                            "allow-missing",
                            "Take a tool or provider that is not there now: it will come later"));

    private static final int MAX_PROMPT_BYTES = 4 * 65_536;
    private static final List<String> PROFILES = List.of("locked", "coding", "research");
    private static final long LOOK_MILLIS = 50;

    /** What counts for an agent that has no number of its own. */
    private static final String GATEWAY_CALLS = "maxCallsPerRun of palyra.gateway";

    private Agents() {}

    /** Asks for permission for a change; the registry commits its record with the change. */
    static Authorized authorize(
            Seams seams, CommandContext context, String action, String resource) {
        return seams.access()
                .call(
                        access ->
                                access.authorize(
                                        AccessRequest.of(context.principal(), action, resource)));
    }

    /**
     * Returns {@code before} with the options that were given in place of its own settings. A tool
     * or provider that is not there while one of a similar name is, is refused unless it may be
     * missing.
     */
    static AgentView changed(Seams seams, AgentView before, CommandContext context)
            throws IOException {
        CommandArguments given = context.arguments();
        if (!given.flag("allow-missing")) {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(seams.waitMillis());
            String provider = given.option("provider").orElse("");
            Supplier<List<String>> providers = () -> seams.agents().call(all -> all.providers());
            if (!provider.isEmpty()) {
                requireNoSlip("model provider", provider, providers, "palyra models list", end);
            }
            Supplier<List<String>> names = () -> Tools.names(Tools.onOffer(seams));
            for (String tool : tools(given, List.of())) {
                requireNoSlip("tool", tool, names, "palyra tools list", end);
            }
            requireProfile(context, given.option("profile").orElse(""));
        }
        return new AgentView(
                before.agentId(),
                given.option("name").orElse(before.displayName()),
                prompt(context, before.systemPrompt()),
                "",
                given.option("provider").orElse(before.provider()),
                given.option("model").orElse(before.model()),
                tools(given, before.tools()),
                given.option("test").map(Boolean::parseBoolean).orElse(before.test()),
                0,
                0,
                given.option("model-profile").orElse(before.modelProfile()),
                given.option("prompt-profile").orElse(before.promptProfile()),
                given.option("profile").orElse(before.policyProfile()),
                given.option("max-calls").map(Agents::calls).orElse(before.maxCalls()));
    }

    private static int calls(String text) {
        Require.that(
                text.matches("[0-9]{1,5}"),
                "--max-calls is '" + text + "': use a whole number from 0 to 10000");
        return Integer.parseInt(text);
    }

    private static String prompt(CommandContext context, String before) throws IOException {
        String given = context.arguments().option("prompt").orElse(before);
        return given.equals("-")
                ? CallerInput.text(context, MAX_PROMPT_BYTES, "the instructions")
                : given;
    }

    /**
     * Refuses a name that is not there while a similar one is: it is probably a slip. What was just
     * configured or enabled is there in a moment, so it is waited for.
     */
    private static void requireNoSlip(
            String kind, String name, Supplier<List<String>> names, String listing, long end) {
        List<String> there = names.get();
        while (isSlip(name, there) && System.nanoTime() - end < 0) {
            pause();
            there = names.get();
        }
        if (isSlip(name, there)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    Tools.missing(kind, name, there)
                            + " Look at "
                            + listing
                            + ", or give --allow-missing when it comes later.");
        }
    }

    /** Policies of an operator may know others; an unknown one means locked, so it is told. */
    private static void requireProfile(CommandContext context, String profile) {
        if (profile.isEmpty() || PROFILES.contains(profile)) {
            return;
        }
        requireNoSlip(
                "policy profile", profile, () -> PROFILES, "the policy guide", System.nanoTime());
        context.output()
                .note(
                        "No shipped policy knows the profile '"
                                + profile
                                + "': unless one of yours does, the agent is locked.");
    }

    private static boolean isSlip(String name, List<String> there) {
        return !there.contains(name) && !Nearest.hint(name, there, "").isEmpty();
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(ErrorCode.CANCELLED, "Nothing was changed.", e);
        }
    }

    private static List<String> tools(CommandArguments given, List<String> before) {
        return given.options().containsKey("tool")
                ? given.options().get("tool").stream().filter(tool -> !tool.isBlank()).toList()
                : before;
    }

    static Map<String, Object> fields(AgentView agent, boolean isDefault) {
        return Fields.of(
                "agentId", agent.agentId(),
                "name", agent.displayName(),
                "default", isDefault,
                "provider", agent.provider(),
                "model", agent.model(),
                "modelProfile", agent.modelProfile(),
                "promptProfile", agent.promptProfile(),
                "profile", agent.policyProfile(),
                "maxCalls", agent.maxCalls(),
                "maxCallsOf", agent.maxCalls() == 0 ? GATEWAY_CALLS : "this agent",
                "tools", agent.tools(),
                "test", agent.test(),
                "promptSha256", agent.systemPromptSha256(),
                "prompt", agent.systemPrompt(),
                "created", Words.time(agent.createdAtMillis()),
                "updated", Words.time(agent.updatedAtMillis()));
    }

    /** Returns the fields of an agent that was changed, with what keeps it from answering. */
    static Map<String, Object> answer(Seams seams, AgentView agent, boolean isDefault) {
        Map<String, Object> fields = new LinkedHashMap<>(fields(agent, isDefault));
        List<String> warnings = new ArrayList<>();
        Seams.ifPresent(seams.agents(), agents -> agents.obstacle(agent))
                .flatMap(obstacle -> obstacle)
                .ifPresent(warnings::add);
        List<String> there = Tools.names(Tools.onOffer(seams));
        agent.tools().stream()
                .filter(tool -> !there.contains(tool))
                .map(tool -> Tools.missing("tool", tool, List.of()))
                .forEach(warnings::add);
        if (!warnings.isEmpty()) {
            fields.put("warning", String.join(" ", warnings));
        }
        return fields;
    }

    static AgentView require(Seams seams, String agentId) {
        return seams.agents()
                .call(agents -> agents.agent(agentId))
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "There is no agent '"
                                                + Words.brief(agentId, 64)
                                                + "'; list them with palyra agents list."));
    }

    /** Returns ids of agents that begin with {@code prefix}, when the registry is there. */
    static List<String> complete(Seams seams, String prefix) {
        return Seams.ifPresent(seams.agents(), registry -> registry.agents())
                .orElse(List.of())
                .stream()
                .map(AgentView::agentId)
                .filter(id -> id.startsWith(prefix))
                .toList();
    }
}
