export { BusTransport } from './bus-transport';
export { InProcessBus } from './in-process-bus';
export { InProcessHub } from './in-process-hub';
export {
  MessageBus,
  type ConsumeOptions,
  type Delivery,
  type Handler,
  type PublishOptions,
  type SubscribeOptions,
  type Subscription,
} from './message-bus';
export { MessagingModule } from './messaging.module';
export { RabbitBus } from './rabbit-bus';
export { type RetryPolicy } from './retry-policy';
