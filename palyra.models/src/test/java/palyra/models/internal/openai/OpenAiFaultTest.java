package palyra.models.internal.openai;

import palyra.testing.model.RemoteDialect;
import palyra.testing.model.RemoteFaultContract;

class OpenAiFaultTest extends RemoteFaultContract {
    @Override
    protected RemoteDialect dialect() {
        return new OpenAiStage();
    }
}
