package palyra.models.internal.openai;

import palyra.testing.model.RemoteDialect;
import palyra.testing.model.RemoteRefusalContract;

class OpenAiRefusalTest extends RemoteRefusalContract {
    @Override
    protected RemoteDialect dialect() {
        return new OpenAiStage();
    }
}
