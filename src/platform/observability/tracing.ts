import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import * as resources from '@opentelemetry/resources';
import * as sdk from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { version } from '../../kernel/package.ts';
import { startSpans } from './request-spans.ts';

/** Includes retries: with 5 s between exports, a loss is logged within 10 s. */
const exportTimeoutMs = 4_000;

const flushTimeoutMs = 1_000;

export interface TracingConfig {
  url: string;
  protocol: 'http/json' | 'http/protobuf';
  sampler: string;
  ratio: number;
}

export type Tracing = ReturnType<typeof startTracing>;

/** Import this module on demand: it loads the tracing libraries. */
export function startTracing({ url, protocol, sampler, ratio }: TracingConfig, log: Logger) {
  const { resourceAttributesEnvDetector, serviceNameEnvDetector } = resources;
  const defaults = resources.resourceFromAttributes({ 'service.name': 'partner-gateway', 'service.version': version });
  // OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME take precedence.
  const environment = resources.detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  const share = sampler.endsWith('always_on') ? 1 : sampler.endsWith('always_off') ? 0 : ratio;
  const root = new sdk.TraceIdRatioBasedSampler(share);
  const { exporter, isFailing } = createExporter({ url, protocol }, log);
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(defaults).merge(environment),
    sampler: sampler.startsWith('parentbased') ? new sdk.ParentBasedSampler({ root }) : root,
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('partner-gateway', version);
  return {
    begin: (request: IncomingMessage, parent: SpanContext | undefined) => startSpans(tracer, request, parent),
    /** Does not wait for an unavailable collector. */
    async stop() {
      const sent = provider.shutdown().then(
        () => !isFailing(),
        () => false,
      );
      if (await Promise.race([sent, setTimeout(flushTimeoutMs, false, { ref: false })])) return;
      log.warn({ url: new URL(url).origin }, 'last traces lost: the collector did not accept them');
    },
  };
}

// Logs the first lost batch of a failure.
function createExporter({ url, protocol }: Pick<TracingConfig, 'url' | 'protocol'>, log: Logger) {
  const timeoutMillis = Number(process.env.OTEL_EXPORTER_OTLP_TIMEOUT) || exportTimeoutMs;
  const exporter = new (protocol === 'http/json' ? JsonExporter : ProtobufExporter)({ url, timeoutMillis });
  const send = exporter.export.bind(exporter);
  let isFailing = false;
  exporter.export = (spans, callback) =>
    send(spans, (result) => {
      if (result.code !== 0 && !isFailing)
        log.warn({ err: result.error, url: new URL(url).origin }, 'trace export failed');
      isFailing = result.code !== 0;
      callback(result);
    });
  return { exporter, isFailing: () => isFailing };
}
