var util = require('util');

function Emitter() {
	this._handlers = {};
}

Emitter.prototype.on = function (type, handler, context) {
	var list = this._handlers[type] || (this._handlers[type] = []);
	list.push({ fn: handler, ctx: context || this });
	return this;
};

Emitter.prototype.off = function (type, handler) {
	var list = this._handlers[type];
	if (!list) return this;
	for (var i = list.length - 1; i >= 0; i--) {
		if (list[i].fn === handler) list.splice(i, 1);
	}
	return this;
};

Emitter.prototype.emit = function (type) {
	var args = Array.prototype.slice.call(arguments, 1);
	var list = (this._handlers[type] || []).slice();
	for (var i = 0; i < list.length; i++) {
		list[i].fn.apply(list[i].ctx, args);
	}
	return list.length > 0;
};

function Model(attributes) {
	Emitter.call(this);
	this.attributes = {};
	this.set(attributes || {}, { silent: true });
}
util.inherits(Model, Emitter);

Model.prototype.get = function (key) {
	return this.attributes[key];
};

Model.prototype.set = function (values, options) {
	var changed = [];
	for (var key in values) {
		if (values.hasOwnProperty(key) && this.attributes[key] !== values[key]) {
			this.attributes[key] = values[key];
			changed.push(key);
		}
	}
	if (options && options.silent) return this;
	for (var i = 0; i < changed.length; i++) {
		this.emit('change:' + changed[i], this, this.attributes[changed[i]]);
	}
	if (changed.length) this.emit('change', this, changed);
	return this;
};

function bind(source, from, target, to, convert) {
	source.on('change:' + from, function (model, value) {
		var update = {};
		update[to] = convert(value);
		target.set(update);
	});
}

function View(model, template) {
	Emitter.call(this);
	this.model = model;
	this.template = template;
	this.renders = 0;
	model.on('change', this.render, this);
}
util.inherits(View, Emitter);

View.prototype.render = function () {
	var attributes = this.model.attributes;
	this.renders++;
	this.html = this.template.replace(/\{(\w+)\}/g, function (_, key) {
		return key in attributes ? attributes[key] : '';
	});
	this.emit('render', this.html);
};

var celsius = new Model({ degrees: 20, place: 'hall' });
var fahrenheit = new Model({ degrees: 68 });
var label = new View(celsius, '<b>{place}</b>: {degrees}');
var history = [];

label.on('render', function (html) {
	history.push(html);
});
bind(celsius, 'degrees', fahrenheit, 'degrees', function (c) {
	return c * 9 / 5 + 32;
});
celsius.set({ degrees: 25 });
console.log(fahrenheit.get('degrees'), history);

bind(fahrenheit, 'degrees', celsius, 'degrees', function (f) {
	return Math.round((f - 32) * 5 / 9) + 1;
});
celsius.set({ place: 'cellar' });
fahrenheit.set({ degrees: 50 });
console.log(celsius.get('degrees'), history.length, label.renders);
