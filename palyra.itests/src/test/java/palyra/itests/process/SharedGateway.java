package palyra.itests.process;

import java.nio.file.Path;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;

/** One gateway process for the tests of a class. */
public final class SharedGateway extends ExternalResource {
    private final TemporaryFolder temp = new TemporaryFolder();
    private Path home;
    private GatewayProcess gateway;

    @Override
    protected void before() throws Throwable {
        temp.create();
        home = Dist.copy(folder().resolve("home"), Dist.example());
        gateway = GatewayProcess.start(home, state()).awaitReady();
    }

    @Override
    protected void after() {
        if (gateway != null) {
            gateway.close();
        }
        temp.delete();
    }

    Path folder() {
        return temp.getRoot().toPath();
    }

    Path home() {
        return home;
    }

    Path state() {
        return folder().resolve("state");
    }

    GatewayProcess process() {
        return gateway;
    }

    CommandClient client() {
        return gateway.client();
    }
}
