package palyra.backup.internal;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import palyra.api.command.CommandContext;
import palyra.testing.command.FakeCommandContext;

/**
 * A process that writes a backup until it asks for the given time whether it is cancelled, which it
 * does before each file; there it waits to be killed.
 */
public final class BackupChild {
    private BackupChild() {}

    /** Begins; the arguments are the state folder, the file, and the number of the question. */
    public static void main(String[] arguments) throws IOException {
        FakeCommandContext context = Source.arguments(Path.of(arguments[1])).flag("plain").build();
        int[] left = {Integer.parseInt(arguments[2])};
        CommandContext waiting =
                (CommandContext)
                        Proxy.newProxyInstance(
                                CommandContext.class.getClassLoader(),
                                new Class<?>[] {CommandContext.class},
                                (proxy, method, given) -> {
                                    if (method.getName().equals("cancelled") && left[0]-- == 0) {
                                        System.out.println("step");
                                        System.out.flush();
                                        Thread.sleep(Long.MAX_VALUE);
                                    }
                                    try {
                                        return method.invoke(context, given);
                                    } catch (InvocationTargetException e) {
                                        throw e.getCause();
                                    }
                                });
        try (Source source = Source.open(Path.of(arguments[0]))) {
            source.backup(waiting);
        }
        System.out.println("done");
    }
}
