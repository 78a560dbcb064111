package palyra.shell.internal.swap;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.FrameworkWiring;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.bundles.BundleContent;
import palyra.shared.bundles.DryRun;
import palyra.shared.text.Nearest;
import palyra.shell.internal.commands.BundlesCommand;

/** Finds the bundle of a swap, checks the jar against it, and foresees what it takes along. */
final class SwapPlanner {
    private final ServiceComponentRuntime runtime;
    private final BundleContext context;
    private final SwapFolder folder;
    private final String bootId;

    SwapPlanner(
            ServiceComponentRuntime runtime,
            BundleContext context,
            SwapFolder folder,
            String bootId) {
        this.runtime = runtime;
        this.context = context;
        this.folder = folder;
        this.bootId = bootId;
    }

    /**
     * Checks a jar against a bundle and prepares the way back. Changes nothing that runs.
     *
     * @throws PalyraException NOT_FOUND, INVALID_ARGUMENT, CONFLICT
     */
    SwapPlan plan(String operationId, String bundleName, InputStream jar) throws IOException {
        Bundle target = find(bundleName);
        folder.create(operationId);
        boolean planned = false;
        try {
            Candidate.copy(jar, folder.newJar(operationId));
            Candidate candidate = Candidate.read(folder.newJar(operationId));
            candidate.requireFits(target);
            requireWatchable(target);
            requireReplaceable(candidate, target);
            requireResolves(candidate, operationId);
            BundleCopy.write(target, folder.oldJar(operationId));
            SwapPlan plan = plan(target, candidate, operationId);
            planned = true;
            return plan;
        } finally {
            if (!planned) {
                folder.delete(operationId);
            }
        }
    }

    private SwapPlan plan(Bundle target, Candidate candidate, String operationId)
            throws IOException {
        boolean refresh = BundleContent.exports(target);
        SwapRecord record =
                new SwapRecord(
                        operationId,
                        target.getSymbolicName(),
                        SwapRecord.Phase.PLANNED,
                        "",
                        "",
                        "",
                        bootId,
                        target.getVersion().toString(),
                        candidate.version().toString(),
                        FileDigest.sha256Hex(folder.oldJar(operationId)),
                        FileDigest.sha256Hex(folder.newJar(operationId)),
                        System.currentTimeMillis(),
                        0,
                        false);
        return new SwapPlan(
                target,
                record,
                takesShellAlong(target, refresh),
                refresh,
                RestartImpact.of(runtime, target.getBundleId()));
    }

    private void requireResolves(Candidate candidate, String operationId) throws IOException {
        try {
            Optional<String> objection =
                    DryRun.objection(
                            candidate.manifest().getMainAttributes(),
                            candidate.symbolicName(),
                            context,
                            "palyra:swap-check/" + operationId);
            if (objection.isPresent()) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        candidate.symbolicName()
                                + " "
                                + candidate.version()
                                + " would not resolve here: "
                                + objection.get()
                                + ". Nothing was changed.");
            }
        } catch (BundleException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The framework does not take the jar: " + e.getMessage() + ".",
                    e);
        }
    }

    private boolean takesShellAlong(Bundle target, boolean refresh) {
        return takesAlong(target, refresh, context.getBundle());
    }

    private boolean takesAlong(Bundle target, boolean refresh, Bundle other) {
        return target.equals(other)
                || (refresh && wiring().getDependencyClosure(List.of(target)).contains(other));
    }

    /** Bundles that use the old one's packages keep it until the refresh, beside the new one. */
    private static void requireReplaceable(Candidate candidate, Bundle target) {
        if (candidate.singleton() && BundleContent.exports(target)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    target.getSymbolicName()
                            + " may be there only once and its packages are in use, so old and new"
                            + " cannot change places; replace its jar and restart.");
        }
    }

    /**
     * Health is checked through the component runtime, which is absent while it is swapped itself.
     */
    private void requireWatchable(Bundle target) {
        Bundle components = context.getServiceReference(ServiceComponentRuntime.class).getBundle();
        if (takesAlong(target, BundleContent.exports(target), components)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    target.getSymbolicName()
                            + " cannot be swapped: the component runtime restarts with it, and"
                            + " everything with that; replace its jar and restart.");
        }
    }

    private FrameworkWiring wiring() {
        return context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).adapt(FrameworkWiring.class);
    }

    private Bundle find(String name) {
        List<Bundle> named =
                Arrays.stream(context.getBundles())
                        .filter(bundle -> BundlesCommand.name(bundle).equals(name))
                        .toList();
        if (named.isEmpty()) {
            String hint = Nearest.hint(name, names(), "");
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "There is no bundle '"
                            + name
                            + "'"
                            + (hint.isEmpty() ? "; list them with palyra bundles." : hint));
        }
        if (named.size() > 1) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "There are "
                            + named.size()
                            + " bundles '"
                            + name
                            + "' of different versions; uninstall all but one first.");
        }
        return named.get(0);
    }

    /** Returns the names of all bundles. */
    List<String> names() {
        return Arrays.stream(context.getBundles()).map(BundlesCommand::name).sorted().toList();
    }
}
