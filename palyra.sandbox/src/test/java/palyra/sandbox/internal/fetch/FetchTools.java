package palyra.sandbox.internal.fetch;

import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.vault.Secret;
import palyra.shared.vault.SecretUse;

/** Fetch tools for tests of other packages. */
public final class FetchTools {
    private FetchTools() {}

    /** Returns one that knows secrets and sends nothing. */
    public static ConfinedTool examining() {
        return new FetchTool(
                request -> {
                    throw new AssertionError("nothing is sent here");
                },
                new SecretSource() {
                    @Override
                    public boolean available() {
                        return true;
                    }

                    @Override
                    public Secret lend(SecretUse use) {
                        throw new AssertionError("no secret is read here");
                    }
                });
    }
}
