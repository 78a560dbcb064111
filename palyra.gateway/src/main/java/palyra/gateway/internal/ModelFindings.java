package palyra.gateway.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import palyra.api.core.ops.Finding;
import palyra.gateway.internal.seam.ModelWaits;

/** What operators should know of agents and runs that find no model. Pure. */
final class ModelFindings {
    private static final int MOST = 20;

    private ModelFindings() {}

    /**
     * Returns one finding for each agent without a model, and one for each provider that is there
     * and asked in vain.
     *
     * @param obstacles sentences about agents, each with its remedy
     * @param waits oldest first
     * @param present whether a provider of that id is there
     */
    static List<Finding> of(
            List<String> obstacles, List<ModelWaits.Wait> waits, Predicate<String> present) {
        List<Finding> findings = new ArrayList<>();
        obstacles.stream().limit(MOST).forEach(one -> findings.add(warning(one, "")));
        Map<String, List<ModelWaits.Wait>> byProvider = new LinkedHashMap<>();
        waits.stream()
                .filter(wait -> present.test(wait.provider()))
                .forEach(
                        wait ->
                                byProvider
                                        .computeIfAbsent(wait.provider(), id -> new ArrayList<>())
                                        .add(wait));
        byProvider.entrySet().stream()
                .limit(MOST)
                .forEach(each -> findings.add(inVain(each.getKey(), each.getValue())));
        return findings;
    }

    private static Finding inVain(String provider, List<ModelWaits.Wait> waits) {
        ModelWaits.Wait oldest = waits.get(0);
        return warning(
                "Model provider '"
                        + provider
                        + "' does not answer, and "
                        + (waits.size() == 1 ? "1 run waits" : waits.size() + " runs wait")
                        + " for it. Run "
                        + oldest.runId()
                        + ": "
                        + oldest.sentence(),
                "The runs go on by themselves when it answers; palyra runs shows what each waits"
                        + " for.");
    }

    private static Finding warning(String message, String remedy) {
        return new Finding(Finding.Severity.WARNING, "models", message, remedy);
    }
}
