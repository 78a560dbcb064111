// The gateway as its .proto files describe it, and nothing else about it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';
import { PATIENCE_MILLIS } from './checks.mjs';
import { RunStream } from './runstream.mjs';

const OPTIONS = { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true };
const OWN_PROTOS = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'proto');

/** The definitions, and how to reach the one gateway that they are tried on. */
export class Gateway {
  constructor(settings) {
    this.settings = settings;
    this.definition = protoLoader.loadSync(
      ['palyra/gateway/v1/gateway.proto', 'health.proto', 'reflection.proto'],
      { ...OPTIONS, includeDirs: [settings.protos, OWN_PROTOS] },
    );
    this.service = {
      ...this.definition['palyra.gateway.v1.GatewayService'],
      ...this.definition['palyra.gateway.v1.ApprovalsService'],
      ...this.definition['palyra.gateway.v1.VaultService'],
    };
    const root = grpc.loadPackageDefinition(this.definition);
    this.stubs = {
      gateway: root.palyra.gateway.v1.GatewayService,
      approvals: root.palyra.gateway.v1.ApprovalsService,
      vault: root.palyra.gateway.v1.VaultService,
      health: root.grpc.health.v1.Health,
      reflection: root.grpc.reflection.v1.ServerReflection,
    };
    /** Methods that were answered with OK, and those that refused something. */
    this.answered = new Set();
    this.refused = new Set();
  }

  /** Returns how a connection is secured; `identity` names a certificate of the settings. */
  channelCredentials(identity) {
    const tls = this.settings.tls;
    if (!tls) return grpc.credentials.createInsecure();
    const own = identity ? tls.identities[identity] : undefined;
    return grpc.credentials.createSsl(
      readFileSync(tls.ca),
      own ? readFileSync(own.key) : null,
      own ? readFileSync(own.certificate) : null,
    );
  }

  /**
   * Returns a client with a connection of its own.
   *
   * token: goes into the metadata of each call; identity: client certificate, only with TLS;
   * target: somewhere else than the gateway itself, such as a proxy
   */
  connect({ token, identity, target, service = 'gateway', channel } = {}) {
    const stub = new this.stubs[service](
      target ?? this.settings.target,
      channel ?? this.channelCredentials(identity),
      {
        'grpc.use_local_subchannel_pool': 1,
        'grpc.enable_retries': 0,
        ...(this.settings.tls ? { 'grpc.ssl_target_name_override': 'localhost' } : {}),
      },
    );
    const more = service === 'gateway' ? ['approvals', 'vault'] : [];
    return new Client(this, stub, token, more.map((name) => new this.stubs[name](
      target ?? this.settings.target, grpc.credentials.createInsecure(),
      { channelOverride: stub.getChannel() })));
  }
}

/** Calls of one connection. */
export class Client {
  /** more: stubs of other services over the same connection */
  constructor(gateway, stub, token, more) {
    this.gateway = gateway;
    this.stub = stub;
    this.token = token;
    this.more = more;
  }

  on(method) {
    return [this.stub, ...this.more].find((stub) => stub[method]);
  }

  metadata(extra = {}) {
    const metadata = new grpc.Metadata();
    if (this.token) metadata.set('authorization', `Bearer ${this.token}`);
    for (const [key, value] of Object.entries(extra)) metadata.set(key, value);
    return metadata;
  }

  static deadline(millis = PATIENCE_MILLIS) {
    return { deadline: Date.now() + millis };
  }

  /** Makes a call with one answer. */
  call(method, request, { extra, millis } = {}) {
    return new Promise((resolve, reject) => {
      this.on(method)[method](request, this.metadata(extra), Client.deadline(millis), (error, answer) => {
        this.note(method, error);
        if (error) reject(error);
        else resolve(answer);
      });
    });
  }

  /** Makes a call with many answers; returns them all. */
  async list(method, request, { extra } = {}) {
    const answers = [];
    try {
      const stream = this.on(method)[method](request, this.metadata(extra), Client.deadline());
      for await (const answer of stream) answers.push(answer);
    } catch (error) {
      this.note(method, error);
      throw error;
    }
    this.note(method);
    return answers;
  }

  /** Opens a RunStream and sends its first message. */
  runStream(first, { extra, millis } = {}) {
    const call = this.stub.RunStream(this.metadata(extra), Client.deadline(millis));
    const stream = new RunStream(call, (error) => this.note('RunStream', error));
    if (first) stream.send(first);
    return stream;
  }

  note(method, error) {
    (error ? this.gateway.refused : this.gateway.answered).add(method);
  }

  close() {
    this.stub.close();
  }
}
