from abc import ABC, ABCMeta, abstractmethod
from collections import OrderedDict


class PluginMeta(ABCMeta):
    registry = OrderedDict()

    def __new__(mcs, name, bases, namespace, *, format=None, **kwargs):
        cls = super().__new__(mcs, name, bases, namespace, **kwargs)
        if format is not None:
            mcs.registry[format] = cls
        cls.format = format
        return cls

    def __contains__(cls, feature):
        return feature in cls.features


class Exporter(metaclass=PluginMeta):
    features = frozenset()

    def __init__(self, stream=None, **options):
        self.chunks = [] if stream is None else stream
        self.options = options

    @abstractmethod
    def header(self, columns):
        ...

    @abstractmethod
    def row(self, values):
        ...

    def footer(self):
        pass

    def export(self, table):
        columns, *rows = table
        self.header(columns)
        for values in rows:
            self.row(values)
        self.footer()
        return ''.join(self.chunks)


class SeparatedMixin:
    separator = ','

    def write_line(self, cells):
        self.chunks.append(self.separator.join(map(self.quote, cells)) + '\n')

    def quote(self, cell):
        text = str(cell)
        if self.separator in text or '"' in text:
            text = '"' + text.replace('"', '""') + '"'
        return text


class CsvExporter(SeparatedMixin, Exporter, format='csv'):
    features = frozenset({'quoting'})

    def header(self, columns):
        if self.options.get('header', True):
            self.write_line(columns)

    def row(self, values):
        self.write_line(values)


class TsvExporter(CsvExporter, format='tsv'):
    separator = '\t'


class HtmlExporter(Exporter, format='html'):
    features = frozenset({'markup', 'unicode'})

    def tag(self, name, content, **attributes):
        extra = ''.join(f' {k}="{v}"' for k, v in attributes.items())
        return f'<{name}{extra}>{content}</{name}>'

    def header(self, columns):
        self.chunks.append('<table>')
        self.chunks.append(self.tag('tr', ''.join(self.tag('th', c) for c in columns)))

    def rows(self, values):
        self.chunks.append(self.tag('tr', ''.join(self.tag('td', v) for v in values)))

    def footer(self):
        self.chunks.append('</table>')


class PrettyHtmlExporter(HtmlExporter, format='pretty'):
    features = HtmlExporter.features | {'indent'}

    def tag(self, name, content, **attributes):
        return super().tag(name, content, **attributes) + '\n'


TABLE = [
    ('isbn', 'title', 'pages'),
    ('0-19-853453-1', 'Numerical Recipes, 2nd edition', 994),
    ('0-201-03801-3', 'The "Art" of Programming', 650),
]


def exporter_for(feature, default='csv'):
    matching = [cls for cls in PluginMeta.registry.values() if feature in cls]
    return matching[-1] if matching else PluginMeta.registry[default]


for wanted in ('quoting', 'sorting', 'indent'):
    exporter = exporter_for(wanted)(header=wanted != 'sorting')
    print(f'-- {exporter.format}')
    print(exporter.export(TABLE), end='')
