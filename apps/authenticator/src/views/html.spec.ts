import { Html, html } from './html';

it('escapes what is not markup already', () => {
  const evil = `<script>alert("x")</script>'&`;
  expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
    '<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;">' +
      '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;</p>',
  );
  expect(html`${html`<b>${'<'}</b>`}${[html`<i></i>`, '<']}`.text).toBe('<b>&lt;</b><i></i>&lt;');
});

it('writes nothing for nothing', () => {
  expect(html`a${null}${undefined}${false}${0}b`.text).toBe('a0b');
  expect(html``).toBeInstanceOf(Html);
});
