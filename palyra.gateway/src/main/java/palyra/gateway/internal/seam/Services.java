package palyra.gateway.internal.seam;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.keys.Keys;
import palyra.api.core.tools.EnvironmentSource;
import palyra.gateway.internal.approval.ApprovalMeter;
import palyra.gateway.internal.budget.BudgetMeter;
import palyra.gateway.internal.budget.Spending;
import palyra.gateway.internal.engine.memory.MemoryPool;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.sealed.Redactor;
import palyra.shared.sealed.RunSecretStore;
import palyra.shared.sealed.VaultValues;

/**
 * The services around the gateway, each of which may come and go while it runs.
 *
 * @param knownSnapshots digests of policy snapshots that are known to be stored
 * @param approvals counts approval requests
 * @param vault values that the vault keeps
 * @param secrets keeps secrets out of messages and records
 * @param spending configuration of models, and spending in budgets
 * @param memory bytes that all runs share
 * @param environment describes to models where their tools work
 */
public record Services(
        Gate<Journal> journal,
        Gate<LiveFeed> feed,
        Gate<Access> access,
        Gate<Keys> keys,
        ModelProviders models,
        ToolExecutors tools,
        Ulids ids,
        Set<String> knownSnapshots,
        ApprovalMeter approvals,
        VaultValues vault,
        RunSecretStore secrets,
        Spending spending,
        MemoryPool memory,
        Gate<EnvironmentSource> environment) {
    /** Bundle that owns the engine's loops. */
    public static final String OWNER = "palyra.gateway";

    private static final long WAIT_MILLIS = 10_000;

    /** Returns seams to which nothing is bound yet, and nothing is configured about models. */
    public static Services unbound() {
        return unbound(() -> ModelSettings.NONE, new BudgetMeter());
    }

    /** Returns seams to which nothing is bound yet. */
    public static Services unbound(Supplier<ModelSettings> settings, BudgetMeter budgets) {
        return unbound(settings, budgets, new MemoryPool());
    }

    /** As above, with the memory that runs share. */
    public static Services unbound(
            Supplier<ModelSettings> settings, BudgetMeter budgets, MemoryPool memory) {
        Gate<Journal> journal =
                new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, WAIT_MILLIS);
        Gate<Keys> keys = new Gate<>("the key store", ErrorCode.KEYS_UNAVAILABLE, WAIT_MILLIS);
        VaultValues vault = new VaultValues(WAIT_MILLIS);
        return new Services(
                journal,
                new Gate<>("the live feed", ErrorCode.JOURNAL_UNAVAILABLE, 0),
                new Gate<>("access control", ErrorCode.POLICY_UNAVAILABLE, WAIT_MILLIS),
                keys,
                new ModelProviders(),
                new ToolExecutors(),
                new Ulids(),
                ConcurrentHashMap.newKeySet(),
                new ApprovalMeter(),
                vault,
                new RunSecretStore(new Redactor(vault), journal, keys),
                new Spending(journal, settings, budgets),
                memory,
                new Gate<>("the description of the tools", ErrorCode.TOOL_UNAVAILABLE, 0));
    }

    /** Publishes live text. Does not wait, even when there is no feed or no follower. */
    public void publish(FeedItem.LiveText text) {
        if (feed.isPresent()) {
            try {
                feed.run(f -> f.publish(text));
            } catch (PalyraException e) {
                return; // the feed left between the look and the call: live text is only a hint
            }
        }
    }
}
