import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Tracer } from '@opentelemetry/api';
import type { SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { version } from '../../kernel/package.ts';
import { RequestSpans } from './request-spans.ts';
import type { TraceParent } from './traceparent.ts';

/** How long a stop waits for the collector to take the last spans, in ms. */
const farewellTime = 1_000;

export interface TracingConfig {
  /** The URL that traces are sent to. */
  url: string;
  /** One of OpenTelemetry's samplers, by its name in OTEL_TRACES_SAMPLER. */
  sampler: string;
  /** The sampled share of the traces that begin here, for the samplers by ratio. */
  ratio: number;
}

/** Traces of requests, sent to an OpenTelemetry collector. */
export interface Tracing {
  /** Begins the span of a request, in its caller's trace if there is one. */
  begin(request: IncomingMessage, parent: TraceParent | undefined): RequestSpans;
  /** Sends the last spans. */
  stop(): Promise<void>;
}

/** Starts tracing. Loads its libraries, which most processes do without. */
export async function startTracing(config: TracingConfig, log: Logger): Promise<Tracing> {
  const [api, sdk, resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const named = resources.resourceFromAttributes({
    'service.name': 'partner-gateway',
    'service.version': version,
  });
  // OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME, which win.
  const { resourceAttributesEnvDetector, serviceNameEnvDetector } = resources;
  const given = resources.detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  const provider: TracerProvider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(named).merge(given),
    sampler: samplerOf(config, sdk),
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter: warnOnce(new OTLPTraceExporter({ url: config.url }), config.url, log) }),
    ],
  });
  const tracer: Tracer = provider.getTracer('partner-gateway', version);
  return {
    begin: (request, parent) => new RequestSpans(api, tracer, request, parent),
    async stop() {
      // A collector that is away is not waited for.
      await Promise.race([provider.shutdown().catch(() => {}), setTimeout(farewellTime, undefined, { ref: false })]);
    },
  };
}

function samplerOf({ sampler, ratio }: TracingConfig, sdk: typeof import('@opentelemetry/sdk-trace')) {
  const root = sampler.endsWith('always_on')
    ? new sdk.AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new sdk.AlwaysOffSampler()
      : new sdk.TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased') ? new sdk.ParentBasedSampler({ root }) : root;
}

// Lost spans are worth a line when the loss begins, not with every batch.
function warnOnce(exporter: SpanExporter, url: string, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, callback) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined || result.code !== 0;
        if (failed && !isFailing)
          log.warn({ err: result.error, url: new URL(url).origin }, 'the collector does not accept traces');
        isFailing = failed;
        callback(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}
