package palyra.skills.internal.run;

import java.util.Set;
import java.util.function.Supplier;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.wasm.WasmEngineView;
import palyra.shared.hash.Digests;
import palyra.skills.internal.host.CallScope;
import palyra.skills.internal.host.HostCall;
import palyra.skills.internal.host.HostFunctions;
import palyra.skills.internal.host.HostSeams;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;

/** Compiles modules by the engine that their calls will run on. Thread-safe. */
final class Preparation {
    private final Engines engines;
    private final Admitter admitter;
    private final Supplier<RunSettings> settings;

    Preparation(Engines engines, Admitter admitter, Supplier<RunSettings> settings) {
        this.engines = engines;
        this.admitter = admitter;
        this.settings = settings;
    }

    void prepare(
            LoadedSkill skill, SkillTool tool, SkillQuotas quotas, String engine, HostSeams seams) {
        RunRequest request = request(skill, tool, quotas, engine, seams);
        long waitMillis = settings.get().engineWaitMillis();
        String id = EngineChoice.of(request, settings.get().engine());
        if (!engine.isEmpty()) {
            engines.requireKnown(engine);
        }
        WasmEngineView view = engines.view(id, waitMillis);
        EngineChoice.require(request, view);
        EngineChoice.requireReady(view);
        boolean command = Entrypoints.command(tool);
        HostCall call = new HostCall(request.scope(), request.input(), command);
        Admitter.AdmittedModule judged =
                admitter.admit(
                        request.module(),
                        request.moduleSha256(),
                        HostFunctions.of(call, seams).functions(),
                        tool.entrypoint(),
                        command,
                        quotas.memoryBytes());
        engines.prepare(id, waitMillis, judged.module());
    }

    /** A call that is never started: what counts is the module, its grants and its quotas. */
    private static RunRequest request(
            LoadedSkill skill, SkillTool tool, SkillQuotas quotas, String engine, HostSeams seams) {
        CallScope scope =
                new CallScope(
                        skill.id(),
                        tool.id(),
                        "none",
                        1,
                        "none",
                        "system",
                        Set.of(),
                        "",
                        0,
                        skill.grants());
        return new RunRequest(
                scope,
                skill,
                tool,
                Digests.sha256Hex(skill.modules().getOrDefault(tool.module(), new byte[0])),
                new byte[0],
                quotas,
                engine,
                Tier.A,
                seams);
    }
}
