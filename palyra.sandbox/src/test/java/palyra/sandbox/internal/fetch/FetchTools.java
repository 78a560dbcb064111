package palyra.sandbox.internal.fetch;

import palyra.api.core.tools.ConfinedTool;

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
                    public String value(String reference, String principal) {
                        throw new AssertionError("no secret is read here");
                    }
                });
    }
}
