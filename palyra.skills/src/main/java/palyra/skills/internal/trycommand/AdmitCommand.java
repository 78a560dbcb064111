package palyra.skills.internal.trycommand;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.shared.wasm.Admitted;
import palyra.shared.wasm.ModuleFacts;
import palyra.shared.wasm.Reason;
import palyra.skills.internal.host.CallScope;
import palyra.skills.internal.host.HostCall;
import palyra.skills.internal.host.HostFunctions;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;
import palyra.skills.internal.run.Entrypoints;
import palyra.skills.internal.run.ModuleAdmission;
import palyra.skills.internal.tool.SkillCallService;

/** {@code skills admit}: admits one module, or shows why it is refused. */
final class AdmitCommand implements Command {
    private static final String READ = "skill.read";
    private static final String CAPABILITY = "host_capability_";

    private static final CommandSpec SPEC =
            new CommandSpec(
                    "skills admit",
                    "Admits a WebAssembly module as before a call",
                    "Says whether it is admitted, every reason why not, and the digest of what"
                            + " engines would get. Every kind of grant counts as given unless"
                            + " --grant names some: then those alone. The exit code is 1 when it is"
                            + " not admitted.",
                    List.of(
                            OptionSpec.value(
                                    "entrypoint",
                                    "NAME",
                                    "Function that it must export; palyra_call"),
                            GrantOptions.OPTION),
                    List.of(
                            PositionalSpec.required(
                                    "FILE", "Module in a file, or - for standard input")),
                    READ,
                    false);

    private static final List<String> EVERY_KIND =
            List.of("http=example.com", "secret=skill/key", "storage=data", "channel=any");

    private final SkillCallService calls;

    AdmitCommand(SkillCallService calls) {
        this.calls = calls;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        byte[] module = ModuleFile.read(context, context.arguments().positional(0).orElse(""));
        List<String> given = context.arguments().options().getOrDefault("grant", EVERY_KIND);
        LoadedSkill skill =
                ModuleFile.skill(
                        module,
                        context.arguments().option("entrypoint").orElse(""),
                        GrantOptions.read(given));
        Admitted admitted = judge(module, skill);
        show(context, admitted);
        return admitted.ok() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private Admitted judge(byte[] module, LoadedSkill skill) {
        SkillTool tool = skill.tools().get(0);
        return ModuleAdmission.judge(
                module,
                functions(skill),
                tool.entrypoint(),
                Entrypoints.command(tool),
                SkillQuotas.DEFAULT.memoryBytes());
    }

    /** Only their names and types matter; they are never called. */
    private List<WasmFunction> functions(LoadedSkill skill) {
        SkillGrants grants = skill.grants();
        CallScope scope =
                new CallScope(
                        skill.id(),
                        ModuleFile.TOOL,
                        "none",
                        1,
                        "none",
                        "system",
                        Set.of(),
                        "",
                        0,
                        grants);
        return HostFunctions.of(new HostCall(scope, new byte[0], false), calls.seams()).functions();
    }

    private static void show(CommandContext context, Admitted admitted) {
        ModuleFacts facts = admitted.facts();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("verdict", admitted.ok() ? "admitted" : "refused");
        fields.put("sha256", facts.sha256());
        fields.put("bytes", facts.bytes());
        admitted.module()
                .ifPresent(
                        metered -> {
                            fields.put("meteredSha256", metered.sha256());
                            fields.put("meteredBytes", metered.bytes().length);
                            fields.put("meterVersion", metered.meterVersion());
                            fields.put("memoryPages", metered.memoryPages());
                        });
        fields.put("functions", facts.functions());
        fields.put("features", List.copyOf(facts.features()));
        fields.put("capabilities", List.copyOf(capabilities(facts)));
        fields.put(
                "imports",
                facts.imports().stream().map(each -> each.module() + "." + each.name()).toList());
        fields.put("exports", facts.exports().stream().map(ModuleFacts.Export::name).toList());
        fields.put("reasons", admitted.reasons().stream().map(AdmitCommand::shown).toList());
        context.output().fields(fields);
    }

    private static String shown(Reason reason) {
        return reason.code() + ": " + reason.sentence();
    }

    private static Set<String> capabilities(ModuleFacts facts) {
        Set<String> names = new TreeSet<>();
        facts.imports().stream()
                .filter(each -> each.name().startsWith(CAPABILITY))
                .forEach(each -> names.add(each.name().substring(CAPABILITY.length())));
        return names;
    }
}
