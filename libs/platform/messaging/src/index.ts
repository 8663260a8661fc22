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
