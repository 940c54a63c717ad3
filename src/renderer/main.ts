import './policies';
import { connectHost } from './transport/connect';
import { start } from './start';

void start(connectHost());
