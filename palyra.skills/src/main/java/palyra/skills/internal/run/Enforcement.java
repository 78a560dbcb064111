package palyra.skills.internal.run;

import palyra.api.core.wasm.WasmEngineView;
import palyra.skills.internal.model.SkillQuotas;

/** Enforcement evidence of a call, for attestations. */
public final class Enforcement {
    private Enforcement() {}

    /** Returns the facts of a call that ran. */
    public static String of(RunReport report, SkillQuotas quotas) {
        WasmEngineView engine = report.engine();
        return "strict tier=a"
                + " fuel="
                + quotas.fuel()
                + " memory="
                + report.module().memoryPages() * 65_536L
                + " deadline_ms="
                + quotas.timeoutMillis()
                + " imports="
                + (report.kinds().isEmpty() ? "none" : String.join(",", report.kinds()))
                + " meter="
                + report.module().meterVersion()
                + " engine="
                + word(engine.id() + "/" + engine.version())
                + " "
                + engine.isolation().replace("tier=", "worker_tier=")
                + " fuel_used="
                + report.result().fuelUsed()
                + " module="
                + report.module().sha256();
    }

    private static String word(String text) {
        return text.replaceAll("[\\s=]", "_");
    }
}
