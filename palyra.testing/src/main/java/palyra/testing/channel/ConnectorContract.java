package palyra.testing.channel;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import palyra.testing.wait.Await;

/**
 * What every {@link palyra.api.channel.Connector} must do. Extend it in the connector's tests and
 * supply a {@link ConnectorFixture}, a platform of your own that can break: every rule becomes a
 * test of yours. A rule about what the platform cannot do, or what the connector does not declare,
 * is skipped and says so. The rules are in the interfaces.
 *
 * <p>Not looked at: threads of conversations, and edits that people make.
 */
public abstract class ConnectorContract
        implements InboundRules, OutboundRules, FileRules, ConnectionRules, LifeRules, SecretRules {
    private ConnectorStage stage;

    /** Returns a platform of its own for one test, to which a connector can connect. */
    protected abstract ConnectorFixture open() throws Exception;

    /** Returns how long something that has to happen is waited for. */
    protected Duration patience() {
        return Await.PATIENCE;
    }

    @BeforeEach
    final void openStage() throws Exception {
        stage = new ConnectorStage(open(), patience());
    }

    @AfterEach
    final void closeStage() throws Exception {
        try (ConnectorStage ending = stage) {
            ending.check();
        }
    }

    @Override
    public final ConnectorStage stage() {
        return stage;
    }
}
