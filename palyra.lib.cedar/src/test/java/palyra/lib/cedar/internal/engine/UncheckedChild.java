package palyra.lib.cedar.internal.engine;

import java.util.Map;

/** Asks native code on an ordinary thread, without any check. */
final class UncheckedChild {
    private UncheckedChild() {}

    /** Arguments: two that are not used, and how deep to nest. */
    public static void main(String[] arguments) throws InterruptedException {
        if (!NativeLibrary.load().available()) {
            System.out.println("survived without a library");
            return;
        }
        int depth = Integer.parseInt(arguments[2]);
        String policy =
                "permit(principal, action, resource) when { "
                        + "(".repeat(depth)
                        + "true"
                        + ")".repeat(depth)
                        + " };";
        Thread thread =
                new Thread(
                        null,
                        () ->
                                NativeCalls.operation(
                                        "ValidateOperation",
                                        Map.of(
                                                "schema",
                                                "",
                                                "policies",
                                                Map.of("staticPolicies", Map.of("p0", policy)))),
                        "ordinary",
                        1 << 20);
        thread.start();
        thread.join();
        System.out.println("survived");
    }
}
